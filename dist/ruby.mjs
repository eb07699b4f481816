// Checks the syntax of a Ruby file with Prism (as WebAssembly). Usage: node ruby.mjs MODULES FILE
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [modules, file] = process.argv.slice(2);
const { loadPrism } = await import(pathToFileURL(path.resolve(modules, "node_modules/@ruby/prism/src/index.js")));
const parse = await loadPrism();
const { errors } = parse(fs.readFileSync(file, "utf8"));
for (const { message } of errors) console.log(`${file}: ${message}`);
process.exit(errors.length > 0 ? 1 : 0);
