import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ContainerTarget } from './container.ts';
import { compareRecords, type LogRecord, makeRun } from './record.ts';

const target = (podUid: string): ContainerTarget => ({
  id: `${podUid}/app`,
  namespace: 'shop',
  pod: podUid,
  podUid,
  container: 'app',
  kind: 'regular',
  placement: {},
  state: { kind: 'running', containerId: 'c', startedAt: undefined },
  restartCount: 0,
  lastContainerId: undefined,
  mayRestart: true,
  podPhase: 'Running',
  deleting: false,
});

const runs = ['a', 'b'].flatMap((pod) => ['1', '2'].map((id) => makeRun(target(pod), id)));

const records: fc.Arbitrary<LogRecord> = fc.record({
  run: fc.constantFrom(...runs),
  at: fc.record({ seconds: fc.integer({ min: 0, max: 2 }), nanos: fc.integer({ min: 0, max: 2 }) }),
  seq: fc.nat(3),
  message: fc.constant(new Uint8Array()),
  partial: fc.constant(false),
  late: fc.constant(false),
});

test('records are ordered by timestamp, then key, then sequence', () => {
  const text = (r: LogRecord) => [r.at.seconds, r.at.nanos, r.run.keyText, r.seq].join(' ');
  fc.assert(
    fc.property(records, records, (a, b) => {
      const expected = text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0;
      expect(Math.sign(compareRecords(a, b))).toBe(expected);
      expect(Math.sign(compareRecords(b, a))).toBe(-expected || 0);
    }),
  );
});
