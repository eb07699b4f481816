// Compares the scopes of the TextMate grammar with the syntax tree that `chatmd parse` prints, for documents and for the examples of
// pages in docs. Usage: node grammar.mjs CHATMD MODULES FILE…
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [program, modules, ...files] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(modules), "package.json"));
const oniguruma = require("vscode-oniguruma");
const { Registry, INITIAL, parseRawGrammar } = require("vscode-textmate");

const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
const source = new URL("../textmate/chatmarkdown.tmLanguage.json", import.meta.url);
const registry = new Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => parseRawGrammar(fs.readFileSync(source, "utf8"), "chatmarkdown.json"),
});
const grammar = await registry.loadGrammar("text.chatmarkdown");

const BLOCKS = new Set("user assistant system developer msg tool_call tool_response reasoning config tool script shell_access moderator_runtime".split(" "));
const DECLARATIONS = new Set("config tool script shell_access moderator_runtime".split(" "));

/** A document by the scopes of the grammar: its tags by their byte offsets, and a byte for each one of the text, 1 if it is not content. */
function scopes(text) {
  const tags = new Map();
  const hidden = new Uint8Array(Buffer.byteLength(text) + 1);
  let stack = INITIAL;
  let offset = 0;
  let attributes = []; // Of the tag that is open.
  for (const line of text.split("\n")) {
    const result = grammar.tokenizeLine(line, stack);
    const at = (index) => offset + Buffer.byteLength(line.slice(0, index));
    for (const token of result.tokens) {
      const has = (scope) => token.scopes.some((name) => name.startsWith(scope));
      const [before, name] = [line.slice(0, token.startIndex), line.slice(token.startIndex, token.endIndex)];
      if (has("entity.name.tag.") && before.endsWith("</")) {
        tags.set(at(token.startIndex - 2), { name: `/${name}`, attributes: [] });
      } else if (has("entity.name.tag.") && before.endsWith("<")) {
        attributes = [];
        tags.set(at(token.startIndex - 1), { name, attributes });
      } else if (has("punctuation.definition.tag.end.")) {
        attributes = [];
      } else if (has("entity.other.attribute-name.")) {
        attributes.push(name);
      }
      if (has("comment.") || has("keyword.control.raw.")) hidden.fill(1, at(token.startIndex), at(token.endIndex));
    }
    stack = result.ruleStack;
    offset += Buffer.byteLength(line) + 1;
    hidden[offset - 1] = stack.contentNameScopesList.getScopeNames().some((name) => name.startsWith("comment.")) ? 1 : 0;
  }
  return { tags, hidden };
}

/** The same by the syntax tree: the tags, and the texts with their spans. A block inside another element is sent as text, so that it has no tag. */
function nodes(tree, bytes, parent, tags, texts) {
  for (const node of tree) {
    const isBlock = BLOCKS.has(node.tag);
    if (!node.tag) {
      if (parent) texts.push(node);
    } else if (!parent || (!isBlock && !DECLARATIONS.has(parent.tag))) {
      const [start, end] = node.span;
      tags.set(start, { name: node.tag, attributes: node.attrs.map(([name]) => name) });
      const closing = /<\/\w+\s*>$/.exec(bytes.toString("latin1", start, end));
      if (closing) tags.set(start + closing.index, { name: `/${node.tag}`, attributes: [] });
      nodes(node.children ?? [], bytes, node, tags, texts);
    }
  }
  return { tags, texts };
}

/** What a tag looks like in messages: the attributes in the order of their names, each once. */
const shown = (tag) => tag && [`<${tag.name}`, ...[...new Set(tag.attributes)].sort()].join(" ") + ">";

/** A text without its whitespace, of which a document reads some as layout. */
const words = (text) => text.replace(/\s+/g, "");

// Scopes that have no place in the syntax tree: a text, and the scope that it has to have.
const PLACES = {
  "#!": "comment.line.shebang.chatmarkdown",
  "title: x": "meta.front-matter.chatmarkdown",
  "<user>quoted": "meta.front-matter.chatmarkdown",
  "gpt-5": "string.quoted.double.chatmarkdown",
  "note=": "entity.other.attribute-name.chatmarkdown",
  '"type"': "support.type.property-name.json.chatmarkdown",
  true: "constant.language.json.chatmarkdown",
  Heading: "markup.heading.chatmarkdown",
  code: "markup.inline.raw.chatmarkdown",
  bold: "markup.bold.chatmarkdown",
  fenced: "markup.raw.block.chatmarkdown",
  "literal </user>": "string.unquoted.raw.chatmarkdown",
  plain: "comment.block.chatmarkdown",
  "chatmd:": "keyword.other.directive.chatmarkdown",
  iVBOR: "constant.other.base64.chatmarkdown",
};
const SAMPLE = `#!/usr/bin/env -S chatmd send
---
title: x
quote: <user>quoted</user>
---
<config model="gpt-5" note="a > b"/>
<tool name="f" type="function">
{"type": "object", "strict": true}
</tool>
<user cache_control>
# Heading
Some \`code\` and **bold**, RAW|literal </user>|RAW <img src="data:image/png;base64,iVBOR"/>
\`\`\`
fenced <b>
\`\`\`
</user>
<!-- plain -->
<!-- chatmd:item {"type":"x"} -->
`;

/** The places of the sample whose scope is another one. */
function misplaced() {
  const found = new Map();
  let stack = INITIAL;
  for (const line of SAMPLE.split("\n")) {
    const result = grammar.tokenizeLine(line, stack);
    for (const text of Object.keys(PLACES)) {
      const at = line.indexOf(text);
      const token = at >= 0 && result.tokens.find((token) => token.startIndex <= at && at < token.endIndex);
      if (token && !found.has(text)) found.set(text, token.scopes.join(" ").split(" "));
    }
    stack = result.ruleStack;
  }
  return Object.entries(PLACES).filter(([text, scope]) => !found.get(text)?.includes(scope)).map(([text, scope]) => `${text}: not ${scope}`);
}

/** The documents of a file: itself, or the examples of a page of the language reference, in which some characters have stand-ins. */
function documents(file) {
  const text = fs.readFileSync(file, "utf8");
  if (!file.startsWith("docs/")) return [[file, text]];
  const examples = text.replaceAll("␍", "\r").replaceAll("␉", "\t").replaceAll("␠", " ").matchAll(/^(`{3,})chatmd.*\n([^]*?)^\1$/gm);
  return [...examples].map((example, index) => [`${file}, example ${index + 1}`, example[2]]);
}

// Long lines, each of which takes minutes if the work is quadratic.
const LONG_LINES = [`<img src="data:image/png;base64,${"A".repeat(1e6)}"/>`, "[a".repeat(2e5), "`a ".repeat(2e4), "<img ".repeat(2e4), '<img a="'.repeat(2e4), "<".repeat(1e5)];

/** How many seconds the long lines take. */
function longLines() {
  const start = performance.now();
  const { ruleStack } = grammar.tokenizeLine("<user>", INITIAL);
  for (const line of LONG_LINES) grammar.tokenizeLine(line, ruleStack);
  return (performance.now() - start) / 1000;
}

const count = { documents: 0, skipped: 0, failed: 0, tags: 0, attributes: 0, texts: 0, markup: 0 };
for (const [name, text] of files.flatMap(documents)) {
  const bytes = Buffer.from(text);
  let tree;
  try {
    tree = JSON.parse(execFileSync(program, ["parse", "--whitespace", "verbatim", "-"], { input: bytes, encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] }));
  } catch {
    count.skipped += 1;
    continue; // A document with errors has no tree.
  }
  const expected = nodes(tree, bytes, null, new Map(), []);
  const actual = scopes(text);
  const differences = [...new Set([...expected.tags.keys(), ...actual.tags.keys()])]
    .map((at) => [at, shown(expected.tags.get(at)), shown(actual.tags.get(at))])
    .filter(([, tree, colours]) => tree !== colours)
    .map(([at, tree, colours]) => `byte ${at} is ${tree ?? "text"}, and the grammar has ${colours ?? "text"}`);
  for (const { text, span: [start, end] } of expected.texts) {
    const visible = bytes.subarray(start, end).filter((_, index) => !actual.hidden[start + index]).toString();
    if (words(visible) !== words(text)) differences.push(`bytes ${start} to ${end} are ${JSON.stringify(text)}, and the grammar has ${JSON.stringify(visible)}`);
    if (Buffer.byteLength(visible) < end - start) count.markup += 1;
  }
  count.documents += 1;
  count.tags += expected.tags.size;
  count.texts += expected.texts.length;
  for (const tag of expected.tags.values()) count.attributes += tag.attributes.length;
  if (differences.length > 0) {
    count.failed += 1;
    console.log(`${name}: ${differences[0]} (${differences.length} in all)`);
  }
}
const wrong = misplaced();
const seconds = longLines();
if (seconds > 60) wrong.push(`long lines took ${seconds.toFixed(0)} s`);
wrong.forEach((place) => console.log(place));
console.log(
  `${count.documents} documents (${count.skipped} have errors, and no tree), ${count.tags} tags, ${count.attributes} attributes and ` +
    `${count.texts} texts (${count.markup} with comments or RAW blocks) compared with the syntax tree: ` +
    `${count.documents - count.failed} passed, ${count.failed} failed; ${Object.keys(PLACES).length} other scopes, ${wrong.length} failed`,
);
process.exit(count.failed > 0 || wrong.length > 0 || count.documents === 0 ? 1 : 0);
