// Formats documents with `chatmd fmt -`, and folds elements and base64. Everything else is in package.json.
const { spawn } = require("node:child_process");
const path = require("node:path");
const vscode = require("vscode");

/** The text that `chatmd fmt -` prints for a document. */
function format(program, text, file) {
  return new Promise((resolve, reject) => {
    const options = { cwd: file ? path.dirname(file) : undefined, windowsHide: true };
    const child = spawn(program, ["fmt", "-"], options);
    const output = [];
    let message = "";
    child.on("error", (error) => reject(new Error(`${program} cannot be run: ${error.message}`)));
    child.stdin.on("error", () => {}); // The program ended before it read everything: its message says why.
    child.stdout.on("data", (chunk) => output.push(chunk));
    child.stderr.on("data", (chunk) => (message += chunk));
    child.on("close", (code) => (code === 0 ? resolve(Buffer.concat(output).toString()) : reject(new Error(message.trim()))));
    child.stdin.end(text);
  });
}

const OPENING = /^<(user|assistant|system|developer|msg|tool_call|tool_response|reasoning|config|tool|script|shell_access|moderator_runtime)(?=[\s>])/;
const BASE64 = /^[A-Za-z0-9+/]{60,}={0,2}$/;

/** The lines that can be folded: elements over several lines, and lines of base64 that follow each other. */
function foldingRanges(lines) {
  const ranges = [];
  let open; // The element at top level whose end is searched for.
  let isRaw = false;
  for (let line = 0; line < lines.length; line += 1) {
    let text;
    [text, isRaw] = outsideRaw(lines[line], isRaw);
    open ??= opening(text, line);
    if (open && text.search(open.closing) >= 0) {
      if (line > open.line) ranges.push([open.line, line]);
      open = undefined;
    }
    if (BASE64.test(lines[line].trim()) && !(line > 0 && BASE64.test(lines[line - 1].trim()))) {
      let end = line;
      while (end + 1 < lines.length && BASE64.test(lines[end + 1].trim())) end += 1;
      if (end > line) ranges.push([line, end]);
    }
  }
  return ranges;
}

/** A line without its RAW blocks, in which nothing is a tag, and whether the next line begins in one. */
function outsideRaw(line, isRaw) {
  let text = "";
  for (let start = 0; ; start += 4) {
    const end = line.indexOf(isRaw ? "|RAW" : "RAW|", start);
    if (!isRaw) text += line.slice(start, end < 0 ? undefined : end);
    if (end < 0) return [text, isRaw];
    isRaw = !isRaw;
    start = end;
  }
}

/** The element that a line opens. */
function opening(text, line) {
  const name = OPENING.exec(text)?.[1];
  return name && { line, closing: new RegExp(`</${name}\\s*>|^<${name}[^>]*/>`) };
}

function activate(context) {
  const formatter = {
    async provideDocumentFormattingEdits(document) {
      const program = vscode.workspace.getConfiguration("chatmd").get("path") || "chatmd";
      const file = document.uri.scheme === "file" ? document.uri.fsPath : undefined;
      try {
        const text = await format(program, document.getText(), file);
        const all = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
        return [vscode.TextEdit.replace(all, text)];
      } catch (error) {
        vscode.window.showErrorMessage(`chatmd: ${error.message.split("\n")[0]}`);
        return [];
      }
    },
  };
  const folding = {
    provideFoldingRanges(document) {
      const lines = Array.from({ length: document.lineCount }, (_, line) => document.lineAt(line).text);
      return foldingRanges(lines).map(([start, end]) => new vscode.FoldingRange(start, end));
    },
  };
  context.subscriptions.push(
    vscode.languages.registerDocumentFormattingEditProvider("chatmarkdown", formatter),
    vscode.languages.registerFoldingRangeProvider("chatmarkdown", folding),
  );
}

module.exports = { activate, foldingRanges, format };
