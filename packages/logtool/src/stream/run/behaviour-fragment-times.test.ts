import { expect, test } from 'vitest';
import { collect, planOf } from '../../../../../test/support/engine/collect.ts';
import { LiveView } from '../../../../../test/support/engine/live-view.ts';
import {
  faults,
  line,
  onePod,
  texts,
  textsOf,
  troubles,
} from '../../../../../test/support/engine/one-pod.ts';
import type { Window } from '../../domain/window.ts';

/**
 * The runtime splits lines above 16 KiB into fragments, each with its own time. A kubelet compares each fragment with
 * sinceTime, but gives a timestamp only to the first fragment of a line; if sinceTime excludes that one, the rest of
 * the line has no timestamp. Its record began before the window, and does not belong to it.
 */

const LONG = 'A'.repeat(16_384);
/** The log is requested from one second before (sinceFor). */
const from = { kind: 'inclusive', at: line('', 2_000).at } as const;

const HALF_BEFORE = [line('before', 0), line(LONG, 900, true), line('the rest', 1_100)];
const ENDLESS_LINE = [line('before', 0), line(LONG, 900, true), line(LONG, 1_100, true)];
/** Longer than the first lines requested to find the end of a log. */
const LAST_LINE = [
  line('before', 0),
  ...Array.from({ length: 40 }, (_, index) => line(LONG, 900 + index * 20, true)),
  line('the end', 1_800),
];
/** As in test/recorded/pods-log/partial-interleaved-timestamps.json: another stream writes inside the line. */
const INTERLEAVED = [line(LONG, 900, true), line('an error', 1_050), line('the rest', 2_100)];
/** With two streams, a line with a later timestamp precedes the long one. */
const SWAPPED = [line('first', 1_001), ...HALF_BEFORE.slice(1)];

type Entries = ReturnType<typeof line>[];
type Case = readonly [string, Entries, readonly string[]];

const CASES: readonly Case[] = [
  ['more lines follow', [...HALF_BEFORE, line('a', 3_000), line('b', 4_000)], ['a', 'b']],
  ['it is the last line', HALF_BEFORE, []],
  ['it has no end', ENDLESS_LINE, []],
  ['it is the last line, and its start is far back', LAST_LINE, []],
  ['another stream writes inside it', [...INTERLEAVED, line('a', 3_000)], ['the rest', 'a']],
  ['a line with a later time is before it', [...SWAPPED, line('a', 3_000)], ['a']],
];

/** The last ended run, with another one after it, or the current one. */
function setUp(entries: Entries, previous: boolean) {
  const setup = onePod([...entries]);
  const { cluster, container, pod } = setup;
  cluster.endRun(pod, container);
  if (previous) cluster.startRun(pod, container, 'containerd://web-1');
  return setup;
}

const windowOf = (previous: boolean): Partial<Window> => ({ from, previous: previous ? 'only' : 'auto' });

for (const previous of [true, false]) {
  const run = previous ? 'the previous run' : 'a run that ended';
  test.each(CASES)(`a read of ${run} from a time inside a line: %s`, async (_name, entries, expected) => {
    const { clock, cluster } = setUp(entries, previous);
    const started = clock.now();
    const frames = await collect(cluster, clock, planOf(windowOf(previous)));
    expect(texts(frames)).toEqual(expected);
    expect(troubles(frames)).toEqual([]);
    expect(clock.now() - started).toBeLessThan(100);
  });
}

test.each(CASES)(
  'a read from a time inside a line breaks anywhere, or ends too early: %s',
  async (_name, entries, expected) => {
    for (const kind of ['reset', 'clean-end'] as const) {
      for (const afterBytes of [0, 1, 5, 8, 9, 20, 30, 40, 50, 60, 70, 80, 16_380, 16_384, 16_400]) {
        const { clock, cluster } = setUp(entries, true);
        faults(cluster, [{ kind, afterBytes }]);
        const frames = await collect(cluster, clock, planOf(windowOf(true)));
        expect(texts(frames), `${kind} after ${afterBytes} bytes`).toEqual(expected);
        expect(troubles(frames), `${kind} after ${afterBytes} bytes`).toEqual([]);
      }
    }
  },
);

test('a follow from a time inside a line gives what comes after it', async () => {
  const { clock, cluster, container } = onePod([...HALF_BEFORE]);
  const view = new LiveView(cluster, clock, planOf({ from, follow: true }));
  await view.pass(1_000);
  cluster.write(container, line('a', 3_000));
  await view.until(() => view.records.length === 1, 5_000);
  await view.close();
  expect(textsOf(view)).toEqual(['a']);
  expect(view.frames.filter(({ type }) => type === 'gap' || type === 'notice')).toEqual([]);
});

test('a follow from a time inside a line that has no end yet', async () => {
  const { clock, cluster, container } = onePod([...ENDLESS_LINE]);
  const view = new LiveView(cluster, clock, planOf({ from, follow: true }));
  await view.pass(3_000);
  cluster.write(container, line('the rest', 3_500));
  cluster.write(container, line('a', 4_000));
  await view.until(() => view.records.length === 1, 10_000);
  await view.close();
  expect(textsOf(view)).toEqual(['a']);
  expect(view.frames.filter(({ type }) => type === 'gap' || type === 'notice')).toEqual([]);
});

test.each([true, false])('the text of a failure is no such rest: previous %s', async (previous) => {
  const { clock, cluster, container } = setUp(HALF_BEFORE, previous);
  container.runs[0]!.removed = true;
  const asked = async (window: Partial<Window>) => {
    const before = cluster.queries.length;
    const frames = await collect(cluster, clock, planOf(window));
    return { frames: troubles(frames), requests: cluster.queries.length - before };
  };
  const { from: _from, ...whole } = windowOf(previous);
  const withoutTime = await asked(whole);
  const withTime = await asked(windowOf(previous));
  expect(withTime.frames).toEqual(withoutTime.frames);
  // One request decides whether the text belongs to the log.
  expect(withTime.requests).toBeLessThanOrEqual(withoutTime.requests + 1);
});
