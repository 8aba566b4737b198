// Runs the end-to-end tests with the self-contained executable, which it builds first: npm run test:binary.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolCommand } from './start-tool.mjs';

const folder = mkdtempSync(join(tmpdir(), 'logtool-binary-'));
const program = join(folder, process.platform === 'win32' ? 'logtool.exe' : 'logtool');
const steps = [
  [process.execPath, 'scripts/build/build.mjs'],
  // The version that the tests expect.
  [process.execPath, 'scripts/binary/build-binary.mjs', '--version=1.2.3', `--outfile=${program}`],
  [...toolCommand('vitest'), 'run', 'test/suites/end-to-end', 'test/suites/completion'],
];
for (const [command, ...args] of steps) {
  const env = { ...process.env, LOGTOOL_TEST_PROGRAM: program };
  const { status } = spawnSync(command, args, { stdio: 'inherit', env });
  if (status === 0) continue;
  process.exitCode = 1;
  break;
}
rmSync(folder, { recursive: true });
