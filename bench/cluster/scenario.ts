/** Workloads of the simulated cluster; `write-logs.ts` fills the logs of the silent ones. */

const app = (name: string, replicas: number) => ({
  kind: 'Deployment',
  name,
  replicas,
  labels: { app: name },
  containers: [{ name: 'app', image: 'registry.example.com/bench/app:1.0.0' }],
});

/** Containers whose lines are followed. */
export const FOLLOWED = 10;
/** What a follower has: ten containers that write at a rate, ten that write now and then, and one that does. */
export type FollowedKind = 'talker' | 'ticker' | 'lone';
/** Who follows; each has workloads of its own, so that it meets no line written for another. */
export const FOLLOWERS = ['node', 'single file', 'kubectl'] as const;
export type Follower = (typeof FOLLOWERS)[number];

/** The deployment of that kind that writes for a follower. */
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
  // Nothing is rotated away: a log keeps its whole length.
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
