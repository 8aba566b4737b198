import { afterAll, beforeAll, test } from 'vitest';
import { SEED } from '../../../../test/support/fuzz/seed.ts';
import { checkLayouts } from './testing/layouts.ts';
import { NodeUnderRead } from './testing/node-under-read.ts';

let node: NodeUnderRead;
beforeAll(async () => {
  node = await NodeUnderRead.start();
});
afterAll(() => node.close());

test(
  `a run read through the kubelet's file server is as the log API returns it from one file: whole, from its end, by time (LOGTOOL_SEED=${SEED})`,
  { timeout: 900_000 },
  () => checkLayouts(node, (query, choice) => node.reader(choice).read(query)),
);
