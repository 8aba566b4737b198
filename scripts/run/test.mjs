// Runs all checks: format and lint, types, architecture and tests. Ends with the line "N passed, N failed".
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolCommand } from './start-tool.mjs';

const folder = mkdtempSync(join(tmpdir(), 'logtool-test-'));
const report = join(folder, 'report.json');
const steps = [
  ['build', process.execPath, 'scripts/build/build.mjs'],
  ['format and lint', ...toolCommand('@biomejs/biome', 'biome'), 'ci', '.'],
  ['types', ...toolCommand('typescript', 'tsc'), '--noEmit'],
  ['types of the page', ...toolCommand('typescript', 'tsc'), '--noEmit', '-p', 'tsconfig.ui.json'],
  ['unused code', ...toolCommand('knip')],
  [
    'tests',
    ...toolCommand('vitest'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
];

let passed = 0;
let failed = 0;
for (const [name, command, ...args] of steps) {
  console.log(`\n== ${name}`);
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (name !== 'tests') {
    if (status === 0) passed++;
    else failed++;
    continue;
  }
  const counts = readReport();
  passed += counts.passed;
  // A run that failed without a failed test (a crash, an unhandled error) counts as a failure too.
  failed += counts.failed > 0 || status === 0 ? counts.failed : 1;
}
rmSync(folder, { recursive: true });
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function readReport() {
  try {
    const { numPassedTests, numFailedTests, numTotalTests } = JSON.parse(readFileSync(report, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests + (numTotalTests === 0 ? 1 : 0) };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
