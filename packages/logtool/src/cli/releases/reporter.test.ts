import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import type { OutputStream } from '../context.ts';
import { StatusLine } from '../output/progress/status-line.ts';
import { createReporter } from './reporter.ts';

function reporting(env: Record<string, string> = { TERM: 'xterm' }, isTTY = true) {
  const clock = new FakeClock();
  const sent: string[] = [];
  const stderr: OutputStream = {
    isTTY,
    columns: 80,
    write: async (chunk) => void sent.push(String(chunk).replace('\r\x1b[2K', '|')),
  };
  const status = new StatusLine(stderr, { clock, env });
  const reporter = createReporter(status.guard(stderr), status);
  const take = () => sent.splice(0);
  return { clock, status, reporter, take };
}

const WEB = {
  object: 'Deployment shop/web',
  obstacle: { problem: 'pods-missing' as const, count: 0, wanted: 1, are: 'ready' as const },
};
const waiting = (done: number) => ({
  kind: 'waiting' as const,
  progress: { wanted: 'ready' as const, done, total: 3, pending: done === 3 ? [] : [WEB] },
});

test('shows the current wait at once, and does not lose it after a line', async () => {
  const { clock, status, reporter, take } = reporting();
  status.watch((last) => last ?? 'working');
  await clock.advance(1500);
  expect(take()).toEqual(['|working']);
  reporter.onProgress(waiting(1));
  await clock.advance(0);
  expect(take()).toEqual(['|1 of 3 ready; Deployment shop/web: 0 of 1 pods are ready']);
  reporter.line('applied ConfigMap shop/web');
  await clock.advance(0);
  expect(take()).toEqual(['|', 'applied ConfigMap shop/web\n']);
  await clock.advance(1500);
  expect(take()).toEqual(['|1 of 3 ready; Deployment shop/web: 0 of 1 pods are ready']);
  await reporter.end();
  await clock.advance(60_000);
  expect(take()).toEqual(['|']);
  expect(clock.pending).toBe(0);
});

test.each([
  ['a pipe', { TERM: 'xterm' }, false],
  ['a terminal that cannot erase', { TERM: 'dumb' }, true],
])('%s gets a line for each change', async (_, env, isTTY) => {
  const { clock, status, reporter, take } = reporting(env, isTTY);
  status.watch((last) => last ?? 'working');
  for (const done of [1, 1, 3]) reporter.onProgress(waiting(done));
  await clock.advance(60_000);
  await reporter.end();
  expect(take()).toEqual(['1 of 3 ready; Deployment shop/web: 0 of 1 pods are ready\n', '3 of 3 ready\n']);
});
