import { existsSync } from 'node:fs';
import { afterAll, beforeAll, test } from 'vitest';
import { localReading } from '../../../../../test/support/agent/local-reading.ts';
import { NodeUnderRead } from '../../../../../test/support/backend/node-under-read.ts';
import { checkRotationMeanwhile } from '../../../../../test/support/backend/rotation-meanwhile.ts';
import { SEED } from '../../../../../test/support/fuzz/seed.ts';

let node: NodeUnderRead;
beforeAll(async () => {
  node = await NodeUnderRead.start();
});
afterAll(() => node.close());

test.runIf(existsSync('/proc/self/fd'))(
  `a read on the node itself leaves nothing out, although files are rotated meanwhile (LOGTOOL_SEED=${SEED})`,
  { timeout: 900_000 },
  () => checkRotationMeanwhile(node, localReading(node)),
);
