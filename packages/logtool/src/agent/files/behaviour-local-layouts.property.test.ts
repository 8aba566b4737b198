import { existsSync } from 'node:fs';
import { afterAll, beforeAll, test } from 'vitest';
import { SEED } from '../../../../../test/support/fuzz/seed.ts';
import { checkLayouts } from '../../backend/testing/layouts.ts';
import { NodeUnderRead } from '../../backend/testing/node-under-read.ts';
import { localReading } from './testing/local-reading.ts';

let node: NodeUnderRead;
beforeAll(async () => {
  node = await NodeUnderRead.start();
});
afterAll(() => node.close());

test.runIf(existsSync('/proc/self/fd'))(
  `a run read on the node itself is as the log API returns it from one file: whole, from its end, by time (LOGTOOL_SEED=${SEED})`,
  { timeout: 900_000 },
  () => checkLayouts(node, localReading(node)),
);
