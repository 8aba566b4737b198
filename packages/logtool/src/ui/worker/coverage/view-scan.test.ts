import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import type { ApiClient } from '../../../contract/client.ts';
import { ViewScan } from './view-scan.ts';

const PLAN = {
  context: 'sim',
  sources: ['shop:deployments/web'],
  from: { kind: 'inclusive', at: '2027-01-15T08:00:00Z' },
  follow: false,
} as const;

/** A scan of a view that is loading until `isLoading` is set otherwise; `asked`: the requests of scans. */
function openScan() {
  const clock = new FakeClock();
  const asked: unknown[] = [];
  const world = { clock, asked, isLoading: true };
  const stream = (_: string, request: unknown) => {
    asked.push(request);
    return (async function* () {})();
  };
  const scan = new ViewScan({
    api: { stream } as unknown as ApiClient,
    clock,
    nextQuery: () => 1,
    holdsAll: () => false,
    isLoading: () => world.isLoading,
    hasAnswered: () => true,
    onChange: () => undefined,
  });
  scan.setPlan(PLAN);
  return world;
}

test('a range is counted when the view has its first lines, because both read the same logs', async () => {
  const world = openScan();
  await world.clock.advance(900);
  expect(world.asked).toHaveLength(0);
  world.isLoading = false;
  await world.clock.advance(100);
  expect(world.asked).toHaveLength(1);
});

test('a view that has no lines for long is counted all the same', async () => {
  const world = openScan();
  await world.clock.advance(2_500);
  expect(world.asked).toHaveLength(1);
});
