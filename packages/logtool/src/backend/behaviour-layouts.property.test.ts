import { afterAll, beforeAll, test } from 'vitest';
import { checkLayouts } from '../../../../test/support/backend/layouts.ts';
import { NodeUnderRead } from '../../../../test/support/backend/node-under-read.ts';
import { SEED } from '../../../../test/support/fuzz/seed.ts';

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
