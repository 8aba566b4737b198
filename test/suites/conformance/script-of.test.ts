import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { STATE_FOLDER, scriptOf } from './script-of.ts';

/** Runs a script like a container of a real cluster; returns its stdout. */
function run(script: string) {
  return execFileSync('sh', ['-c', script.replaceAll('sleep 3600', 'true')], {
    encoding: 'latin1',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

test.skipIf(process.platform === 'win32').each([
  ['lines', { lines: ['one', '', { text: 'last', newline: false }], exit: {} }, 'one\n\nlast'],
  ['numbered lines', { lines: [{ text: 'line {n}', repeat: 3 }] }, 'line 1\nline 2\nline 3\n'],
  ['bytes', { lines: [{ base64: '/wBh' }], exit: {} }, '\xff\0a\n'],
  ['a long line', { lines: [{ text: 'x', pad: 5 }], exit: {} }, 'xxxxx\n'],
  ['stdout only', { lines: ['out', { text: 'err', stream: 'stderr' as const }], exit: {} }, 'out\n'],
])('a shell writes what the simulated cluster writes: %s', (_, behavior, written) => {
  expect(run(scriptOf(behavior))).toBe(written);
});

test.skipIf(process.platform === 'win32')('a shell counts the runs of a container', () => {
  const folder = mkdtempSync(join(tmpdir(), 'runs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const script = scriptOf({ runs: [{ lines: ['first'], exit: {} }, { lines: ['later'] }] });
  const outputs = [1, 2, 3].map(() => run(script.replaceAll(STATE_FOLDER, folder)));
  expect(outputs).toEqual(['first\n', 'later\n', 'later\n']);
});
