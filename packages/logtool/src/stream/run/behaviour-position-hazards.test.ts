import { expect, test } from 'vitest';
import { collect, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import {
  faults,
  line,
  numbered,
  onePod,
  texts,
  troubles,
} from '../../../../../test/support/engine/one-pod.ts';

/** Ways in which the log API of a real cluster misleads readers of a part of a log, and readers that resume. */

test('sinceTime is cut to the second: lines of that second come again and are dropped', async () => {
  const same = [line('same', 100), line('same', 100), line('same', 100), line('other', 100), line('z', 900)];
  const { clock, cluster } = onePod([...same, line('last', 950)]);
  for (let afterBytes = 0; afterBytes < 230; afterBytes++) {
    faults(cluster, [{ kind: 'reset', afterBytes }]);
    expect(texts(await collect(cluster, clock, planOf({})))).toEqual([
      'same',
      'same',
      'same',
      'other',
      'z',
      'last',
    ]);
  }
});

test.each([
  [[5_300, 4_600, 4_700, 4_800, 6_000]],
  [[5_300, 4_600, 4_700, 4_800]],
  [[7_000, 5_900, 5_950, 5_800, 5_850, 5_900]],
])('a clock was set back a little, and the connection breaks after that: %j', async (times) => {
  const { clock, cluster } = onePod(times.map((ms, index) => line(`${index}`, ms)));
  const two = 2 * '2026-11-21T09:00:05.300000000Z 0\n'.length;
  for (let afterBytes = two; afterBytes < 200; afterBytes++) {
    faults(cluster, [{ kind: 'reset', afterBytes }]);
    const frames = await collect(cluster, clock, planOf({}));
    expect(troubles(frames), `cut after ${afterBytes} bytes`).toEqual([]);
    expect(texts(frames).toSorted(), `cut after ${afterBytes} bytes`).toEqual([...times.keys()].map(String));
  }
});

test('a point inside a second is kept to the nanosecond, although the server cuts it', async () => {
  const { clock, cluster } = onePod(numbered(10, 100));
  const from = { kind: 'inclusive', at: line('', 500).at } as const;
  expect(texts(await collect(cluster, clock, planOf({ from })))[0]).toBe('line 5');
});

test('tailLines counts fragments: a tail gives whole lines, and as many as asked for', async () => {
  const long = [
    line('A'.repeat(16_384), 1000, true),
    line('B'.repeat(16_384), 1000, true),
    line('end', 1000),
  ];
  const entries = [...numbered(5, 10)];
  for (let copy = 0; copy < 40; copy++) entries.push(...long.map((one) => ({ ...one })));
  const { clock, cluster } = onePod(entries);
  const frames = await collect(cluster, clock, planOf({ selection: { kind: 'tail', count: 41 } }));
  const lengths = recordsOf(frames).map(({ message }) => message.length);
  expect(lengths).toEqual([6, ...Array.from({ length: 40 }, () => 32_771)]);
});

/** In each pair of lines, the second has an earlier timestamp than the first, as from two pipes of one process. */
const swapped = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    line(`line ${index}`, index % 2 === 0 ? index * 10 : (index - 1) * 10 - 5),
  );

test.each([1, 2, 3, 10])(
  'a tail of %i breaks off after its first line, and earlier lines have later timestamps: it is no gap',
  async (count) => {
    const { clock, cluster } = onePod(swapped(300));
    const whole = texts(await collect(cluster, clock, planOf({ selection: { kind: 'tail', count } })));
    expect(whole).toHaveLength(count);
    for (let afterBytes = 40; afterBytes < 240; afterBytes += 10) {
      faults(cluster, [{ kind: 'reset', afterBytes }]);
      const frames = await collect(cluster, clock, planOf({ selection: { kind: 'tail', count } }));
      expect(troubles(frames), `cut after ${afterBytes} bytes`).toEqual([]);
      expect(texts(frames), `cut after ${afterBytes} bytes`).toEqual(whole);
    }
  },
);

test.each([0, 1, 2])(
  'a tail breaks off after the end of a long line, which comes whole on resume: it is no gap (%i)',
  async (front) => {
    const entries = Array.from({ length: 100 }, (_, index) => [
      line('A'.repeat(16_384), index * 700, true),
      line('B'.repeat(16_384), index * 700, true),
      line(`end of ${index}`, index * 700),
    ]).flat();
    // Each position of the line is the first one of the tail once.
    for (let later = 0; later < front; later++) entries.push(line(`behind ${later}`, 80_000 + later));
    const { clock, cluster } = onePod(entries);
    const whole = recordsOf(await collect(cluster, clock, planOf({ selection: { kind: 'tail', count: 1 } })));
    for (const afterBytes of [45, 16_500, 33_000]) {
      faults(cluster, [{ kind: 'reset', afterBytes }]);
      const frames = await collect(cluster, clock, planOf({ selection: { kind: 'tail', count: 1 } }));
      expect(troubles(frames), `cut after ${afterBytes} bytes`).toEqual([]);
      expect(texts(frames)).toEqual(whole.map(({ message }) => Buffer.from(message).toString()));
    }
  },
);

test('sinceTime by itself reads the whole file on the node: a resume of a tail counts lines as well', async () => {
  const { clock, cluster } = onePod(numbered(20_000, 20));
  faults(cluster, [{ kind: 'reset', afterBytes: 20_000 }]);
  const frames = await collect(cluster, clock, planOf({ selection: { kind: 'tail', count: 3_000 } }));
  expect(texts(frames)).toEqual(Array.from({ length: 3_000 }, (_, index) => `line ${17_000 + index}`));
  const byTime = cluster.queries.filter(({ sinceTime }) => sinceTime !== undefined);
  expect(byTime.length).toBeGreaterThan(0);
  expect(byTime.filter(({ tailLines }) => tailLines === undefined)).toEqual([]);
});

test('a resume whose number of lines was outgrown asks only by time, and loses nothing', async () => {
  const { clock, cluster, container } = onePod(numbered(3_000, 20));
  let grown = false;
  faults(cluster, [{ kind: 'reset', afterBytes: 20_000 }]);
  const first = cluster.nextFault;
  cluster.nextFault = (query) => {
    if (query.sinceTime !== undefined && !grown) {
      grown = true;
      for (let index = 3_000; index < 50_000; index++)
        cluster.write(container, line(`line ${index}`, index * 20));
    }
    return first(query);
  };
  const frames = await collect(cluster, clock, planOf({ selection: { kind: 'tail', count: 2_000 } }));
  expect(grown).toBe(true);
  expect(troubles(frames)).toEqual([]);
  const given = texts(frames);
  const start = Number(given[0]!.slice(5));
  expect(given).toEqual(given.map((_, index) => `line ${start + index}`));
});

test('the beginning of a line, cut where it looks like the last line of that time, is not the end', async () => {
  const { clock, cluster } = onePod([line('one and all', 0), line('two', 0), line('one', 0)]);
  faults(cluster, [{ kind: 'clean-end', afterBytes: 34 }]);
  const frames = await collect(cluster, clock, planOf({}));
  expect(texts(frames)).toEqual(['one and all', 'two', 'one']);
  expect(troubles(frames)).toEqual([]);
});
