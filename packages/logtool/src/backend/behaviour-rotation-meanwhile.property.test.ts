import { afterAll, beforeAll, test } from 'vitest';
import { NodeUnderRead } from '../../../../test/support/backend/node-under-read.ts';
import { checkRotationMeanwhile } from '../../../../test/support/backend/rotation-meanwhile.ts';
import { SEED } from '../../../../test/support/fuzz/seed.ts';

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
