import { existsSync } from 'node:fs';
import { afterAll, beforeAll, test } from 'vitest';
import { localReading } from '../../../../../test/support/agent/local-reading.ts';
import { checkLayouts } from '../../../../../test/support/backend/layouts.ts';
import { NodeUnderRead } from '../../../../../test/support/backend/node-under-read.ts';
import { SEED } from '../../../../../test/support/fuzz/seed.ts';

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
