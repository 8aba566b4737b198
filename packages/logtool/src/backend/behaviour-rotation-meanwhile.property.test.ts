import { afterAll, beforeAll, test } from 'vitest';
import { SEED } from '../../../../test/support/fuzz/seed.ts';
import { NodeUnderRead } from './testing/node-under-read.ts';
import { checkRotationMeanwhile } from './testing/rotation-meanwhile.ts';

let node: NodeUnderRead;
beforeAll(async () => {
  node = await NodeUnderRead.start();
});
afterAll(() => node.close());

test(
  `a read through the kubelet's file server leaves nothing out, although files are rotated meanwhile (LOGTOOL_SEED=${SEED})`,
  { timeout: 900_000 },
  () => checkRotationMeanwhile(node, (query) => node.reader('all').read(query)),
);
