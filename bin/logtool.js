#!/usr/bin/env node
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const start = join(__dirname, '../dist/start.cjs');
// A clone of the repository, which the package never is: its first use builds the program.
const build = join(__dirname, '../scripts/build/build.mjs');
if (!existsSync(start) && existsSync(build)) {
  // What the program prints is its own: the build writes to stderr only.
  const { status } = require('node:child_process').spawnSync(process.execPath, [build], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(1);
}
require(start);
