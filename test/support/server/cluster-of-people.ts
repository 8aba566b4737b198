import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll } from 'vitest';
import { tokensOf } from './signed-in.ts';

export interface ClusterOfPeople {
  readonly cluster: SimCluster;
  /** Returns the current token of a person in the kubeconfig, including a renewed one. */
  tokenOf(user: string): string;
  /** Gives a person a new token; the cluster refuses the previous one from now on. */
  renewToken(user: string): Promise<void>;
}

/**
 * Starts the cluster of `scenarios/permissions.yaml`, whose people have different permissions, for all tests of a file.
 */
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
