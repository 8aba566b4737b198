import { type FollowedKind, type Follower, followedBy } from '../cluster/scenario.ts';
import { type Bench, whereOf } from './case.ts';

/** A program that follows. */
export interface FollowWords {
  readonly who: Follower;
  readonly command: readonly string[];
}

/** The same for an existing workload, from now on, printing only messages. */
export function followBare({ place, programs }: Bench): readonly FollowWords[] {
  return [
    ...programs.logtools.map(({ kind, command }) => ({
      who: kind,
      command: [...command, 'logs', place.workload, '--follow', '--tail=10', '--raw', ...whereOf(place)],
    })),
    {
      who: 'kubectl',
      command: [
        ...[programs.kubectl, 'logs', '--follow', '-l', place.selector, '--tail=10'],
        ...['--max-log-requests', '100', ...whereOf(place)],
      ],
    },
  ];
}

/**
 * Each logtool and kubectl, following the lines written for it from the start; in another cluster all follow
 * the same workload.
 */
export function followWords(bench: Bench, how: FollowedKind): readonly FollowWords[] {
  const { place, programs } = bench;
  const isOwn = place.simulated !== undefined;
  const source = (who: Follower) => (isOwn ? `deployments/${followedBy(who, how)}` : place.workload);
  const selector = isOwn ? `app=${followedBy('kubectl', how)}` : place.selector;
  return [
    ...programs.logtools.map(({ kind, command }) => ({
      who: kind,
      command: [
        ...[...command, 'logs', source(kind), '--follow', isOwn ? '--all' : '--tail=10', '--hide-header'],
        ...whereOf(place),
      ],
    })),
    {
      who: 'kubectl',
      command: [
        ...[programs.kubectl, 'logs', '--follow', '-l', selector, '--prefix', '--timestamps'],
        ...[`--tail=${isOwn ? -1 : 10}`, '--max-log-requests', '100', ...whereOf(place)],
      ],
    },
  ];
}
