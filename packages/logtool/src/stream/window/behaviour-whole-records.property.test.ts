import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { collect, NO_FILTER, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { line } from '../../../../../test/support/engine/one-pod.ts';
import { seeded } from '../../../../../test/support/engine/search-logs.ts';
import { NORMAL_LINES, TRACES } from '../../../../../test/support/records/traces.ts';
import { type FilterPlan, LEVELS } from '../../domain/filter.ts';
import { levelIndex } from '../../domain/level.ts';
import type { LogRecord } from '../../domain/record.ts';
import { shapeOf } from '../../domain/records/line-shape.ts';
import { type OpenRecord, spanOf, takeLine } from '../../domain/records/open-record.ts';
import { levelOfRecord } from '../../domain/records/record-summary.ts';
import { compileFilter } from '../match/compile-filter.ts';

/* Filters of whole records, compared with a simple rule over all written lines. LOGTOOL_SEED replays one. */

// A view loads pattern code on first use, which takes real time that no test clock controls.
beforeAll(async () => {
  await compileFilter({ ...NO_FILTER, grep: 'match|^$' });
});

const PIECE = fc.record({
  lines: fc.oneof<fc.Arbitrary<readonly string[]>[]>(
    fc.constantFrom(...TRACES).map(({ lines }) => lines),
    fc.array(fc.constantFrom(...NORMAL_LINES), { minLength: 1, maxLength: 40 }),
  ),
  stepMs: fc.constantFrom(0, 1, 20),
  gapMs: fc.constantFrom(0, 5, 900, 1500),
});
const FILTER = fc.constantFrom<Partial<FilterPlan>>(
  { levels: ['error'] },
  { levels: ['error', 'fatal'] },
  { levels: ['warn'] },
  { grep: 'Caused by|KeyError' },
  { grep: 'shop' },
  { grep: 'at ', levels: ['error'] },
  { grep: 'shop', exclude: ['Wire'] },
  { grep: 'e', exclude: ['Traceback', 'health'] },
  { exclude: ['9 more'] },
);
const LOGS = fc.record({
  containers: fc.array(fc.array(PIECE, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 }),
  filter: FILTER,
  count: fc.integer({ min: 1, max: 9 }),
  maxLogRequests: fc.constantFrom(1, 100),
});

function clusterOf(
  containers: readonly (readonly (typeof PIECE extends fc.Arbitrary<infer T> ? T : never)[])[],
) {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  for (const [index, pieces] of containers.entries()) {
    let ms = index;
    const entries = pieces.flatMap(({ lines, stepMs, gapMs }) => {
      ms += gapMs;
      return lines.map((text) => {
        ms += stepMs;
        return line(text, ms);
      });
    });
    const pod = cluster.addPod(`pod-${index}`);
    cluster.addContainer(pod, 'main', [newRun(`containerd://${index}`, entries)]);
  }
  return { clock, cluster };
}

/** Returns the records of each container, in the order of their heads. */
function grouped(all: readonly LogRecord[]): LogRecord[][] {
  const groups: LogRecord[][] = [];
  for (const id of new Set(all.map(({ run }) => run.target.id))) {
    const own = all.filter(({ run }) => run.target.id === id);
    let open: OpenRecord | undefined;
    const heads = new Set<number>();
    for (const [index, { message, at }] of own.entries()) {
      const shape = shapeOf(Buffer.from(message).toString('latin1'), levelIndex(message));
      open = takeLine(open, { shape, bytes: message.length, ...at });
      heads.add(index);
      const length = open.waiting > 0 ? 0 : spanOf(open);
      for (let back = 0; back < length - 1; back++) heads.delete(index - back);
    }
    const starts = [...heads].sort((a, b) => a - b);
    groups.push(...starts.map((start, nth) => own.slice(start, starts[nth + 1])));
  }
  return groups.sort(([a], [b]) => all.indexOf(a!) - all.indexOf(b!));
}

const textOf = ({ message }: LogRecord) => Buffer.from(message).toString();

function passes(
  record: readonly LogRecord[],
  { grep, exclude = [], levels = [] }: Partial<FilterPlan>,
): boolean {
  const texts = record.map(textOf);
  const own = record.map(({ message }) => levelIndex(message));
  const isJson = texts.length > 1 && texts[0]!.endsWith('{');
  const level = LEVELS[record.length === 1 ? own[0]! : levelOfRecord(own, isJson)];
  if (levels.length > 0 && (level === undefined || !levels.includes(level))) return false;
  if (grep !== undefined && !texts.some((text) => new RegExp(grep).test(text))) return false;
  return !exclude.some((pattern) => texts.some((text) => new RegExp(pattern).test(text)));
}

test('every window shows whole records, and those that a plain rule chooses', async () => {
  await fc.assert(
    fc.asyncProperty(LOGS, async ({ containers, filter, count, maxLogRequests }) => {
      const { clock, cluster } = clusterOf(containers);
      const all = recordsOf(await collect(cluster, clock, planOf({ selection: { kind: 'all' } })));
      const passing = grouped(all).filter((record) => passes(record, filter));
      const plan = { filter: { ...NO_FILTER, ...filter, wholeRecords: true }, maxLogRequests };
      const chosen = { all: passing, head: passing.slice(0, count), tail: passing.slice(-count) };
      for (const kind of ['all', 'head', 'tail'] as const) {
        const selection = kind === 'all' ? { kind } : { kind, count };
        const frames = await collect(cluster, clock, planOf({ selection }, plan));
        const wanted = new Set(chosen[kind].flat());
        const expected = all.filter((record) => wanted.has(record)).map(textOf);
        expect(recordsOf(frames).map(textOf), kind).toEqual(expected);
      }
    }),
    seeded(100),
  );
}, 120_000);
