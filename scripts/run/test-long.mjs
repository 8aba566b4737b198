// Plays the on-call test with the whole traffic of its long incidents: npm run test:long.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { toolCommand } from './start-tool.mjs';

const root = join(import.meta.dirname, '../..');
const [command, script] = toolCommand('vitest');
const env = { ...process.env, LOGTOOL_LONG: '1' };
const args = [script, 'run', 'test/suites/browser/incidents.test.ts', ...process.argv.slice(2)];
const { status } = spawnSync(command, args, { stdio: 'inherit', cwd: root, env });
process.exitCode = status ?? 1;
