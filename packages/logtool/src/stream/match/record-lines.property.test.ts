import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_FILTER } from '../../../../../test/support/engine/collect.ts';
import { seeded } from '../../../../../test/support/engine/search-logs.ts';
import { NORMAL_LINES, TRACES } from '../../../../../test/support/records/traces.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import { type LogRecord, makeRun } from '../../domain/record.ts';
import { RecordLines } from './record-lines.ts';
import { createRecordTests } from './record-tests.ts';

const SOURCES = ['a', 'b'].map((name) =>
  makeRun({ id: name, podUid: `uid-${name}`, container: 'main' } as ContainerTarget, `containerd://${name}`),
);
const EVERY_LINE = [...NORMAL_LINES, ...TRACES.flatMap(({ lines }) => lines)];
const STRETCH = fc.record({
  source: fc.nat(SOURCES.length - 1),
  lines: fc.oneof<fc.Arbitrary<readonly string[]>[]>(
    fc.constantFrom(...TRACES).map(({ lines }): readonly string[] => lines),
    fc.array(fc.constantFrom(...NORMAL_LINES), { minLength: 1, maxLength: 30 }),
    fc.array(fc.constantFrom(...EVERY_LINE), { minLength: 1, maxLength: 12 }),
  ),
  gapMs: fc.constantFrom(0, 0, 5, 1_500),
});

test('a batch is decided as line by line, though only lines near those that match are read', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(STRETCH, { minLength: 1, maxLength: 14 }),
      fc.constantFrom('Caused by', 'shop', 'panicked|KeyError', 'e', 'exit status', 'nowhere'),
      fc.subarray(['Wire', 'health'], { maxLength: 1 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 }),
      async (stretches, grep, exclude, sizes) => {
        let ms = 0;
        const records = stretches.flatMap(({ source, lines, gapMs }): LogRecord[] => {
          ms += gapMs;
          return lines.map((text, seq) => ({
            run: SOURCES[source]!,
            at: { seconds: Math.floor(ms / 1000), nanos: (ms % 1000) * 1e6 },
            seq,
            message: Buffer.from(text),
            partial: false,
            late: false,
          }));
        });
        const tests = await createRecordTests(
          { ...NO_FILTER, grep, exclude },
          { person: '', signal: undefined },
        );
        const shown = (
          take: (lines: RecordLines, emit: (record: LogRecord, role?: string) => void) => void,
        ) => {
          const roles = new Map<LogRecord, string | undefined>();
          const order = new Map<LogRecord['run'], LogRecord[]>(SOURCES.map((source) => [source, []]));
          const lines = new RecordLines(tests);
          const emit = (record: LogRecord, role?: string) => {
            expect(roles.has(record)).toBe(false);
            roles.set(record, role);
            order.get(record.run)!.push(record);
          };
          take(lines, emit);
          lines.settleAll(emit);
          return { roles: records.map((record) => roles.get(record)), all: roles.size, order };
        };
        const byLine = shown((lines, emit) => {
          for (const record of records) lines.add(record, emit);
        });
        const byBatch = shown((lines, emit) => {
          for (let at = 0, turn = 0; at < records.length; turn++) {
            const next = at + sizes[turn % sizes.length]!;
            lines.addAll(records.slice(at, next), emit);
            at = next;
          }
        });
        expect(byBatch).toEqual(byLine);
        expect(byBatch.all).toBe(records.length);
      },
    ),
    seeded(300),
  );
});
