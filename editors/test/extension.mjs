// Loads the packed extension for VS Code with a small stand-in for the editor, and runs what it registers.
// Usage: node extension.mjs CHATMD FOLDER-OF-THE-UNPACKED-EXTENSION
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import Module from "node:module";
import os from "node:os";
import path from "node:path";

const [program, folder] = process.argv.slice(2).map((name) => path.resolve(name));
const registered = {};
const shown = [];
const editor = {
  Range: class { constructor(...numbers) { this.numbers = numbers; } },
  FoldingRange: class { constructor(start, end) { Object.assign(this, { start, end }); } },
  TextEdit: { replace: (range, text) => ({ range, text }) },
  window: { showErrorMessage: (message) => shown.push(message) },
  workspace: { getConfiguration: () => ({ get: () => program }) },
  languages: {
    registerDocumentFormattingEditProvider: (language, provider) => (registered.formatter = { language, provider }),
    registerFoldingRangeProvider: (language, provider) => (registered.folding = { language, provider }),
  },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? editor : load(name, ...rest));
const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
const require = Module.createRequire(import.meta.url);
const extension = require(path.join(folder, manifest.main));
const context = { subscriptions: [] };
extension.activate(context);
assert.equal(context.subscriptions.length, 2);

const document = (text) => {
  const lines = text.split("\n");
  return { getText: () => text, lineCount: lines.length, lineAt: (line) => ({ text: lines[line] }), uri: { scheme: "untitled" }, validateRange: (range) => range };
};

// Formatting gives the text of `chatmd fmt -`; a document with an error is left as it is.
const { provider } = registered.formatter;
const [edit] = await provider.provideDocumentFormattingEdits(document("<user>Hello.</user><assistant>Hi.</assistant>"));
assert.equal(edit.text, "<user>\nHello.\n</user>\n\n<assistant>\nHi.\n</assistant>\n");
assert.deepEqual(await provider.provideDocumentFormattingEdits(document("<user>")), []);
assert.match(shown[0], /^chatmd: error/);

const settings = manifest.contributes.configurationDefaults["[chatmarkdown]"];
assert.equal(settings["editor.formatOnSave"], true);
assert.equal(settings["editor.defaultFormatter"], `${manifest.publisher}.${manifest.name}`);

// Folding.
const base64 = "A".repeat(76);
const text = `<config model="m"/>\n<user>\nRAW|</user>\n</user>|RAW\n</user>\n<tool_response tool_call_id="c">\n${base64}\n${base64}\n</tool_response>`;
const ranges = registered.folding.provider.provideFoldingRanges(document(text));
assert.deepEqual(ranges.map(({ start, end }) => [start, end]), [[1, 4], [6, 7], [5, 8]]);

// The problem matcher reads every line of `check --format short`.
const directory = fs.mkdtempSync(path.join(os.tmpdir(), "chatmd-extension."));
const file = path.join(directory, "chat.md");
fs.writeFileSync(file, '<user colour="red">\nHello.\n</user>\n<usr>\n');
const checked = spawnSync(program, ["check", "--format", "short", file], { encoding: "utf8" });
const lines = checked.stdout.trim().split("\n");
const { regexp, ...groups } = manifest.contributes.problemMatchers[0].pattern;
assert.ok(lines.length >= 2);
for (const line of lines) {
  const match = new RegExp(regexp).exec(line);
  assert.ok(match, line);
  assert.equal(match[groups.file], file);
  assert.match(match[groups.severity], /^(error|warning)$/);
}
fs.rmSync(directory, { recursive: true });

// Every file that the manifest names is in the package, and every snippet is a part of a document without errors.
for (const { path: name } of [...manifest.contributes.grammars, ...manifest.contributes.snippets]) {
  assert.ok(fs.existsSync(path.join(folder, name)), name);
}
const snippets = JSON.parse(fs.readFileSync(path.join(folder, "snippets.json"), "utf8"));
for (const [name, { prefix, body }] of Object.entries(snippets)) {
  const inserted = body.replace(/\$\{\d+:([^}]*)\}/g, "$1").replace(/\$\d+/g, "");
  const input = /^<(?!img|doc)/.test(body) ? inserted : `<user>\n${inserted}\n</user>\n`;
  const { status, stderr } = spawnSync(program, ["fmt", "-"], { input, encoding: "utf8" });
  assert.ok(prefix && status === 0, `${name}: ${stderr}`);
}
console.log(`the extension ${manifest.version} was loaded: formatting, folding, ${lines.length} lines of the problem matcher, ${Object.keys(snippets).length} snippets`);
