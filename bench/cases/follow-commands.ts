import { type FollowedKind, type Follower, followedBy } from '../cluster/scenario.ts';
import { type Bench, whereOf } from './case.ts';

/** A command that follows logs. */
export interface FollowCommand {
  readonly who: Follower;
  readonly command: readonly string[];
}

/** Returns the same commands for an existing workload: following from now on, printing only messages. */
export function followBare({ cluster, programs }: Bench): readonly FollowCommand[] {
  return [
    ...programs.logtools.map(({ kind, command }) => ({
      who: kind,
      command: [...command, 'logs', cluster.workload, '--follow', '--tail=10', '--raw', ...whereOf(cluster)],
    })),
    {
      who: 'kubectl',
      command: [
        programs.kubectl,
        'logs',
        '--follow',
        '-l',
        cluster.selector,
        '--tail=10',
        '--max-log-requests',
        '100',
        ...whereOf(cluster),
      ],
    },
  ];
}

/**
 * Returns the commands of each logtool and kubectl, each following its own lines from the start; in another cluster all
 * follow the same workload.
 */
export function followCommands(bench: Bench, how: FollowedKind): readonly FollowCommand[] {
  const { cluster, programs } = bench;
  const isOwn = cluster.simulated !== undefined;
  const source = (who: Follower) => (isOwn ? `deployments/${followedBy(who, how)}` : cluster.workload);
  const selector = isOwn ? `app=${followedBy('kubectl', how)}` : cluster.selector;
  return [
    ...programs.logtools.map(({ kind, command }) => ({
      who: kind,
      command: [
        ...command,
        'logs',
        source(kind),
        '--follow',
        isOwn ? '--all' : '--tail=10',
        '--hide-header',
        ...whereOf(cluster),
      ],
    })),
    {
      who: 'kubectl',
      command: [
        programs.kubectl,
        'logs',
        '--follow',
        '-l',
        selector,
        '--prefix',
        '--timestamps',
        `--tail=${isOwn ? -1 : 10}`,
        '--max-log-requests',
        '100',
        ...whereOf(cluster),
      ],
    },
  ];
}
