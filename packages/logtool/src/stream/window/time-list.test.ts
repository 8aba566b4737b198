import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { FakeCluster } from '../../../../../test/support/engine/fake-cluster.ts';
import { makeRun } from '../../domain/record.ts';
import { TimeList } from './time-list.ts';

const cluster = new FakeCluster(new FakeClock());
cluster.addContainer(cluster.addPod('web'), 'main', []);
const run = makeRun(cluster.targets()[0]!, 'one');
const message = new Uint8Array(0);
const recordAt = (seconds: number, nanos: number, seq: number) => ({
  run,
  at: { seconds, nanos },
  seq,
  message,
  partial: false,
  late: false,
});

test('records are found again by their times, whatever their number', () => {
  const list = new TimeList();
  expect(list.at([{ seconds: 0, nanos: 0 }], message)).toEqual([]);
  const records = Array.from({ length: 200_000 }, (_, seq) =>
    recordAt(1_700_000_000 + Math.floor(seq / 1000), (seq % 1000) - (seq % 3), seq),
  );
  for (const record of records) list.add(record);
  list.add(recordAt(-5, 999_999_999, 200_000));
  const times = [
    { seconds: 1_700_000_100, nanos: 300 },
    { seconds: -5, nanos: 999_999_999 },
    { seconds: 1, nanos: 0 },
  ];
  const isAt = ({ at }: { at: { seconds: number; nanos: number } }) =>
    at.seconds === 1_700_000_100 && at.nanos === 300;
  expect(list.at(times, message)).toEqual([...records.filter(isAt), recordAt(-5, 999_999_999, 200_000)]);
  expect(list.at([times[0]!], message)).toEqual(records.filter(isAt));
});
