// Plays what `npm test` plays in part: npm run test:long. The on-call test with the whole traffic of its long incidents,
// the random cases of the page's statements, 2,000 without a browser and 50 in one, and the property tests, with other
// seeds each time.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { toolCommand } from './start-tool.mjs';

const root = join(import.meta.dirname, '../..');
const [command, script] = toolCommand('vitest');
const more = { LOGTOOL_LONG: '1', LOGTOOL_CASES: '2000', LOGTOOL_BROWSER_CASES: '50' };
const env = { ...more, ...process.env };
const suites = [
  'test/suites/browser/incidents.test.ts',
  'test/suites/truth',
  'test/suites/browser/console-claims.test.ts',
  '.property.test.ts',
];
const args = [script, 'run', ...suites, ...process.argv.slice(2)];
const { status } = spawnSync(command, args, { stdio: 'inherit', cwd: root, env });
process.exitCode = status ?? 1;
