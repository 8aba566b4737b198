import { runOnce } from '../measure/run-once.ts';
import { ownCells, type Row } from '../report/row.ts';
import type { Case } from './case.ts';

/** What Node takes to start with nothing to do: no program for it can be faster. */
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
