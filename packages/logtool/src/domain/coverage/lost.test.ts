import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { containerNamed } from '../../../../../test/support/engine/records-with.ts';
import type { ContainerTarget } from '../container.ts';
import { lostIn, lostRuns } from './lost.ts';

const at = (seconds: number): Timestamp => ({ seconds, nanos: 0 });

/** A container whose current run, the 10th, began at 5,000 s. */
const restarted = (podCreatedAt: Timestamp | undefined): ContainerTarget => ({
  ...containerNamed('a'),
  restartCount: 9,
  lastContainerId: 'ninth',
  lastStartedAt: at(4_000),
  state: { kind: 'running', containerId: 'tenth', startedAt: at(5_000) },
  podCreatedAt,
});

test('runs that are gone lie between the creation of their pod and the oldest one that the node has', () => {
  const lost = lostRuns(restarted(at(3_000)), { hasPrevious: true, first: undefined });
  // The clock of the node may be behind.
  expect(lost).toMatchObject({ from: at(2_940), to: at(4_001), cause: { data: { count: 8 } } });
  expect(lostIn(lost, { from: at(1_000), to: at(2_900) })).toBeUndefined();
  expect(lostIn(lost, { from: at(1_000), to: at(2_950) })).toMatchObject({ from: at(2_940), to: at(2_950) });
});

test('without a creation that agrees with the times of the runs, they may have been at any time before', () => {
  for (const created of [undefined, at(9_000)])
    expect(lostRuns(restarted(created), { hasPrevious: true, first: undefined })).toMatchObject({
      from: undefined,
      to: at(4_001),
    });
});
