import { runOnce } from '../measure/run-once.ts';
import { ownCells, type Row } from '../report/row.ts';
import type { Case } from './case.ts';

/** Measures the start of Node without a program: the lower bound for every Node program. */
export const NODE_ONLY_CASE: Case = {
  name: 'node alone',
  async run({ cluster, directory, rounds }) {
    const pipeline = [[process.execPath, '-e', '0']];
    await runOnce(pipeline, { env: cluster.env, directory });
    const costs = [];
    for (let round = 0; round < rounds; round++)
      costs.push(await runOnce(pipeline, { env: cluster.env, directory }));
    return [{ who: 'node -e 0', cells: ownCells(costs) } satisfies Row];
  },
};
