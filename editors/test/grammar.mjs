// Compares the scopes of the TextMate grammar with the syntax tree that `chatmd parse` prints.
// Usage: node grammar.mjs CHATMD MODULES FILE…
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

/** The opening tags by the scopes of the grammar: the byte offset of each, its name, and the names of its attributes. */
function scopes(text) {
  const tags = new Map();
  let stack = INITIAL;
  let offset = 0;
  let attributes = []; // Of the tag that is open.
  for (const line of text.split("\n")) {
    const result = grammar.tokenizeLine(line, stack);
    for (const token of result.tokens) {
      const tag = token.scopes.find((scope) => scope.startsWith("entity.name.tag."));
      const name = line.slice(token.startIndex, token.endIndex);
      if (tag && !tag.includes(".close.") && line.slice(0, token.startIndex).endsWith("<")) {
        attributes = [];
        tags.set(offset + Buffer.byteLength(line.slice(0, token.startIndex - 1)), { name, attributes });
      } else if (token.scopes.some((scope) => scope.startsWith("punctuation.definition.tag.end."))) {
        attributes = [];
      } else if (token.scopes.some((scope) => scope.startsWith("entity.other.attribute-name."))) {
        attributes.push(name);
      }
    }
    stack = result.ruleStack;
    offset += Buffer.byteLength(line) + 1;
  }
  return tags;
}

/** The same, by the syntax tree. A block inside another element is sent as text, so that it has no tag. */
function nodes(tree, parent, tags) {
  for (const node of tree) {
    if (!node.tag) continue;
    if (!parent || !BLOCKS.has(node.tag)) {
      tags.set(node.span[0], { name: node.tag, attributes: node.attrs.map(([name]) => name) });
    }
    const isOpaque = DECLARATIONS.has(node.tag) || (parent && BLOCKS.has(node.tag));
    if (!isOpaque) nodes(node.children ?? [], node, tags);
  }
  return tags;
}

/** What a tag looks like in messages: the attributes in the order of their names, each once. */
const shown = (tag) => tag && [`<${tag.name}`, ...[...new Set(tag.attributes)].sort()].join(" ") + ">";

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

let compared = 0;
let skipped = 0;
let tagCount = 0;
let attributeCount = 0;
let failures = 0;
for (const file of files) {
  const text = fs.readFileSync(file, "utf8");
  let tree;
  try {
    tree = JSON.parse(execFileSync(program, ["parse", "--whitespace", "verbatim", file], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  } catch {
    skipped += 1;
    continue; // A document with errors has no tree.
  }
  const expected = nodes(tree, null, new Map());
  const actual = scopes(text);
  const places = [...new Set([...expected.keys(), ...actual.keys()])];
  const differences = places
    .map((at) => [at, shown(expected.get(at)), shown(actual.get(at))])
    .filter(([, tree, colours]) => tree !== colours)
    .map(([at, tree, colours]) => `byte ${at} is ${tree ?? "text"}, and the grammar has ${colours ?? "text"}`);
  compared += 1;
  tagCount += expected.size;
  for (const tag of expected.values()) attributeCount += tag.attributes.length;
  if (differences.length > 0) {
    failures += 1;
    console.log(`${file}: ${differences[0]} (${differences.length} in all)`);
  }
}
const wrong = misplaced();
wrong.forEach((place) => console.log(place));
console.log(
  `${compared} fixtures (${skipped} have errors, and no tree), ${tagCount} tags and ${attributeCount} attributes compared with the syntax tree: ` +
    `${compared - failures} passed, ${failures} failed; ${Object.keys(PLACES).length} other scopes, ${wrong.length} failed`,
);
process.exit(failures > 0 || wrong.length > 0 || compared === 0 ? 1 : 0);
