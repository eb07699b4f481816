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

/** The byte offsets of the names of opening tags, by the scopes of the grammar. */
function scopes(text) {
  const tags = new Map();
  let stack = INITIAL;
  let offset = 0;
  for (const line of text.split("\n")) {
    const result = grammar.tokenizeLine(line, stack);
    for (const token of result.tokens) {
      const tag = token.scopes.find((scope) => scope.startsWith("entity.name.tag."));
      const name = line.slice(token.startIndex, token.endIndex);
      if (tag && !tag.includes(".close.") && line.slice(0, token.startIndex).endsWith("<")) {
        tags.set(offset + Buffer.byteLength(line.slice(0, token.startIndex - 1)), name);
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
    if (!parent || !BLOCKS.has(node.tag)) tags.set(node.span[0], node.tag);
    const isOpaque = DECLARATIONS.has(node.tag) || (parent && BLOCKS.has(node.tag));
    if (!isOpaque) nodes(node.children ?? [], node, tags);
  }
  return tags;
}

let compared = 0;
let tagCount = 0;
let failures = 0;
for (const file of files) {
  const text = fs.readFileSync(file, "utf8");
  let tree;
  try {
    tree = JSON.parse(execFileSync(program, ["parse", "--whitespace", "verbatim", file], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  } catch {
    continue; // A document with errors has no tree.
  }
  const expected = nodes(tree, null, new Map());
  const actual = scopes(text);
  const differences = [
    ...[...expected].filter(([at, name]) => actual.get(at) !== name).map(([at, name]) => `no tag at byte ${at}: <${name}>`),
    ...[...actual].filter(([at]) => !expected.has(at)).map(([at, name]) => `a tag at byte ${at} that is text: <${name}>`),
  ];
  compared += 1;
  tagCount += expected.size;
  if (differences.length > 0) {
    failures += 1;
    console.log(`${file}: ${differences[0]} (${differences.length} in all)`);
  }
}
console.log(`${compared} documents, ${tagCount} tags compared with their spans: ${compared - failures} passed, ${failures} failed`);
process.exit(failures > 0 || compared === 0 ? 1 : 0);
