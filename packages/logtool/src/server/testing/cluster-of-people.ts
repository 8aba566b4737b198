import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll } from 'vitest';
import { tokensOf } from './signed-in.ts';

export interface ClusterOfPeople {
  readonly cluster: SimCluster;
  /** The token of a person, as the kubeconfig has it now: a renewed one too. */
  tokenOf(user: string): string;
  /** Gives a person another token; the one before is refused from now on. */
  renewToken(user: string): Promise<void>;
}

/** The cluster of `scenarios/permissions.yaml`, whose people may read different things, for all tests of a file. */
export function openClusterOfPeople(): ClusterOfPeople {
  let cluster: SimCluster | undefined;
  let tokens: ReadonlyMap<string, string> = new Map();
  const opened = () => {
    if (cluster === undefined) throw new Error('the cluster is asked before the tests begin');
    return cluster;
  };
  beforeAll(async () => {
    cluster = await startSimCluster({ scenario: 'scenarios/permissions.yaml' });
    tokens = await tokensOf(cluster.kubeconfig);
  });
  afterAll(() => cluster?.close());
  return {
    get cluster() {
      return opened();
    },

    tokenOf(user) {
      const token = tokens.get(user);
      if (token === undefined) throw new Error(`nobody is called ${user}`);
      return token;
    },

    async renewToken(user) {
      await opened().control.renewToken({ user });
      tokens = await tokensOf(opened().kubeconfig);
    },
  };
}
