import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { beforeAll, expect, test } from 'vitest';
import { NO_FILTER, planOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster } from '../../../../../test/support/engine/fake-cluster.ts';
import { setUp, texts } from '../../../../../test/support/engine/followed-pod.ts';
import { LiveView } from '../../../../../test/support/engine/live-view.ts';
import type { Selection } from '../../domain/window.ts';
import { compileFilter } from '../match/compile-filter.ts';

/* Multiline records that arrive while following a container. */

const ERRORS = { ...NO_FILTER, levels: ['error'], wholeRecords: true } as const;
const HEAD = '2026-11-21T10:00:00Z ERROR payment failed';
const TRACE = ['java.lang.Error: x', '\tat a.b.C.d(C.java:1)', '\tat a.b.C.e(C.java:2)'];

// A view loads pattern code on first use, which takes real time that no test clock controls.
beforeAll(async () => {
  await compileFilter({ ...NO_FILTER, grep: 'match|^$' });
  await compileFilter(ERRORS);
});

async function following(selection: Selection, backlog: readonly string[]) {
  const set = setUp();
  for (const text of backlog) set.write(text);
  const view = set.open(planOf({ selection, follow: true }, { filter: ERRORS }));
  await view.until(() => view.frames.some(({ type }) => type === 'end'), 5_000);
  return { ...set, view };
}

test('a trace is shown with its head, also when nothing is written after it', async () => {
  const { view, write } = await following({ kind: 'all' }, ['ready']);
  for (const text of ['GET / 200', HEAD, ...TRACE]) write(text);
  await view.pass(1_000);
  expect(texts(view)).toEqual([HEAD, ...TRACE]);
  write('GET / 200');
  write(HEAD);
  await view.pass(1_000);
  await view.close();
  expect(texts(view)).toEqual([HEAD, ...TRACE, HEAD]);
});

test('a trace that another container writes into is not mixed with its lines', async () => {
  const { view, write, cluster, pod } = await following({ kind: 'all' }, ['ready']);
  const other = cluster.addContainer(pod, 'sidecar');
  await view.pass(1_000);
  for (const text of [HEAD, ...TRACE]) {
    write(text);
    write('proxied', undefined, other);
  }
  await view.pass(1_000);
  await view.close();
  expect(texts(view)).toEqual([HEAD, ...TRACE]);
});

test.each([[{ kind: 'all' }], [{ kind: 'tail', count: 5 }]] as const)(
  'a trace that begins in the backlog continues in new lines: %j',
  async (selection) => {
    const { view, write } = await following(selection, ['ready', HEAD, TRACE[0]!]);
    expect(texts(view)).toEqual([HEAD, TRACE[0]]);
    for (const text of [TRACE[1]!, TRACE[2]!, 'GET / 200']) write(text);
    await view.pass(1_000);
    await view.close();
    expect(texts(view)).toEqual([HEAD, ...TRACE]);
  },
);

test('a view that ends shows the trace that its container ended with', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('job', { restartPolicy: 'Never' });
  const container = cluster.addContainer(pod, 'main');
  const write = (text: string) =>
    cluster.write(container, { at: timestampFromMs(clock.now()), bytes: Buffer.from(text), partial: false });
  write('ready');
  const plan = planOf({ selection: { kind: 'all' }, follow: true }, { filter: ERRORS });
  const view = new LiveView(cluster, clock, plan, false);
  await view.until(() => view.frames.some(({ type }) => type === 'end'), 5_000);
  for (const text of [HEAD, ...TRACE]) write(text);
  cluster.endRun(pod, container);
  await view.until(() => view.ended, 60_000);
  expect(view.ended).toBe(true);
  expect(texts(view)).toEqual([HEAD, ...TRACE]);
  await view.close();
});

test('a pattern that a late line of a trace matches shows the rest of it', async () => {
  const { write, open } = setUp();
  write('ready');
  const filter = { ...NO_FILTER, grep: 'C.e', wholeRecords: true };
  const view = open(planOf({ selection: { kind: 'all' }, follow: true }, { filter }));
  await view.until(() => view.frames.some(({ type }) => type === 'end'), 5_000);
  write(HEAD);
  write(TRACE[0]!);
  await view.pass(700);
  write(TRACE[1]!);
  write(TRACE[2]!);
  await view.pass(1_000);
  await view.close();
  expect(texts(view)).toEqual([TRACE[2]]);
});
