// Starts npm and programs of npm packages on every system: on Windows they are .cmd files, which Node starts only in a
// shell, and a shell splits paths at spaces.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Runs npm to completion and returns the result of spawnSync. */
export function runNpm(args, options = {}) {
  const script = npmScript();
  const [command, ...before] = script === undefined ? ['npm'] : [process.execPath, script];
  return spawnSync(command, [...before, ...args], { stdio: 'inherit', ...options });
}

/**
 * Returns the command that starts the program of a package in node_modules: `toolCommand('vitest')`. `name`: the
 * program, if its name differs from the package's.
 *
 * @returns {[command: string, script: string]}
 */
export function toolCommand(packageName, name = packageName) {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const path = typeof bin === 'string' ? bin : bin?.[name];
  if (path === undefined) throw new Error(`${packageName} has no program ${name}`);
  return [process.execPath, join(folder, path)];
}

/**
 * Returns npm's own script: npm sets the variable for programs that it starts; without it, on Windows, the script is
 * beside Node.
 */
function npmScript() {
  const own = process.env.npm_execpath;
  if (own !== undefined && /npm-cli\.[cm]?js$/.test(own)) return own;
  const beside = join(dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js');
  return process.platform === 'win32' && existsSync(beside) ? beside : undefined;
}
