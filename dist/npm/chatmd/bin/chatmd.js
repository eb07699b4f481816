#!/usr/bin/env node
// Runs the program of the package for this platform, with the same arguments, and ends as the program ends.
const { spawn } = require("node:child_process");

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

const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
process.on("SIGINT", () => {}); // A terminal sends it to the program, too, which still saves what has arrived.
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`chatmd: ${path} cannot be run: ${error.message}`);
  process.exit(70);
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exit(code);
  }
});
