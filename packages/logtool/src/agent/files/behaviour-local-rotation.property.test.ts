import { existsSync } from 'node:fs';
import { afterAll, beforeAll, test } from 'vitest';
import { SEED } from '../../../../../test/support/fuzz/seed.ts';
import { NodeUnderRead } from '../../backend/testing/node-under-read.ts';
import { checkRotationMeanwhile } from '../../backend/testing/rotation-meanwhile.ts';
import { localReading } from './testing/local-reading.ts';

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
