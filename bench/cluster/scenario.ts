/** Workloads of the simulated cluster; `write-logs.ts` fills the logs of those that write nothing. */

const app = (name: string, replicas: number) => ({
  kind: 'Deployment',
  name,
  replicas,
  labels: { app: name },
  containers: [{ name: 'app', image: 'registry.example.com/bench/app:1.0.0' }],
});

/** The number of followed containers. */
export const FOLLOWED = 10;
/**
 * The workloads of a follower: ten containers that write at a rate, ten that write now and then, and one that writes
 * now and then.
 */
export type FollowedKind = 'talker' | 'ticker' | 'lone';
/** The followers; each has its own workloads, so that it sees no lines written for another. */
export const FOLLOWERS = ['node', 'single file', 'kubectl'] as const;
export type Follower = (typeof FOLLOWERS)[number];

/** Returns the deployment of that kind that writes for a follower. */
export function followedBy(follower: Follower, how: FollowedKind): string {
  return `${how}-${follower.replace(' ', '-')}`;
}

export const SCENARIO = {
  description: 'What the command line is measured with.',
  seed: 11,
  clusterName: 'bench',
  namespace: 'default',
  namespaces: ['default'],
  startDelays: 'none',
  backfill: '1h',
  // Never rotate: logs keep their whole length.
  logMaxBytes: 4_000_000_000,
  nodes: [{ name: 'node', copies: 2, pods: 200, region: 'eu-west-1', zone: 'eu-west-1a' }],
  workloads: [
    app('big', 1),
    app('search', 1),
    app('one', 1),
    app('five', 5),
    app('many', 100),
    ...FOLLOWERS.flatMap((who) => [
      app(followedBy(who, 'talker'), FOLLOWED),
      app(followedBy(who, 'ticker'), FOLLOWED),
      app(followedBy(who, 'lone'), 1),
    ]),
  ],
};
