#!/usr/bin/env node
// Runs the program of the package for this platform, with the same arguments, and ends as the program ends.
const { spawnSync } = require("node:child_process");

const name = `chatmd-${process.platform}-${process.arch}`;
const program = process.platform === "win32" ? "chatmd.exe" : "chatmd";

let path = process.env.CHATMD_BINARY;
if (!path) {
  try {
    path = require.resolve(`${name}/${program}`);
  } catch {
    console.error(`chatmd: the package ${name} is not installed
Install chatmd again without --omit=optional, or set CHATMD_BINARY to the path of the program. If there is no such
package for this platform, \`cargo install chatmd\` builds the program.`);
    process.exit(70);
  }
}

const done = spawnSync(path, process.argv.slice(2), { stdio: "inherit" });
if (done.error) {
  console.error(`chatmd: ${path} cannot be run: ${done.error.message}`);
  process.exit(70);
}
if (done.signal) {
  process.kill(process.pid, done.signal);
}
process.exit(done.status ?? 70);
