import { setTimeout as sleep } from 'node:timers/promises';
import { type LineArrivals, listen } from '../measure/arrivals.ts';
import { latencyCells, SEVERAL_GOALS } from '../report/follow-row.ts';
import type { Row } from '../report/row.ts';
import { type Bench, Skipped } from './case.ts';
import { followBare } from './follow-commands.ts';

/** The first lines that the programs print are old. */
const START_MS = 5000;
const MIN_LINES = 20;

/**
 * Follows a workload with logtool and kubectl at once, for the follow duration, and reports how much later than kubectl
 * logtool prints lines, for lines whose text occurs once. Writes nothing, and uses only this machine's clock.
 */
export async function lateness(bench: Bench): Promise<readonly Row[]> {
  const followers = followBare(bench).map(({ who, command }) => ({
    who,
    arrivals: listen(command, bench.cluster.env, /.+/),
  }));
  try {
    await sleep(START_MS + bench.followSeconds * 1000);
    const startMs = Date.now() - bench.followSeconds * 1000;
    const peer = followers.find(({ who }) => who === 'kubectl');
    if (peer === undefined) return [];
    return followers
      .filter((follower) => follower !== peer)
      .map(({ who, arrivals }) => rowOf(who, laterMs(arrivals, peer.arrivals, startMs)));
  } finally {
    for (const { arrivals } of followers) await arrivals.close();
  }
}

function laterMs(own: LineArrivals, peer: LineArrivals, startMs: number): readonly number[] {
  const later: number[] = [];
  for (const [text, [ownMs, ...moreOwn]] of own.all) {
    const [peerMs, ...morePeer] = peer.all.get(text) ?? [];
    if (ownMs === undefined || peerMs === undefined || moreOwn.length + morePeer.length > 0) continue;
    if (peerMs >= startMs) later.push(ownMs - peerMs);
  }
  return later;
}

function rowOf(who: string, lateMs: readonly number[]): Row {
  if (lateMs.length < MIN_LINES)
    throw new Skipped(`the workload wrote only ${lateMs.length} lines that could be told apart meanwhile`);
  return {
    who,
    cells: latencyCells(lateMs, SEVERAL_GOALS),
    note: `later than kubectl; ${lateMs.length} lines`,
  };
}
