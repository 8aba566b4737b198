// Runs the tests that need no oracle, as on macOS and Windows: npm run test:portable [-- --list] [-- --as win32].
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installThreads } from '../build/build-threads.mjs';
import { portableTests, testsBesideCode } from './portable-tests.mjs';
import { toolCommand } from './start-tool.mjs';

const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    list: { type: 'boolean', default: false },
    as: { type: 'string', default: process.platform },
  },
});
const all = testsBesideCode(root);
const files = await portableTests(root, all, values.as);
if (values.list) {
  console.log(files.join('\n'));
} else {
  console.log(
    `${files.length} of the ${all.length} test files beside the code need nothing that ${values.as} lacks`,
  );
  await installThreads();
  const [command, script] = toolCommand('vitest');
  // Not as arguments: a Windows command line has at most 32,767 characters.
  const env = { ...process.env, LOGTOOL_TEST_FILES: JSON.stringify(files) };
  const args = [script, 'run', '--config', 'vitest.portable.config.ts'];
  const { status } = spawnSync(command, args, { stdio: 'inherit', cwd: root, env });
  process.exitCode = status ?? 1;
}
