import type { Bench, Case, Goals } from '../cases/case.ts';
import { costCells, type Row } from '../report/row.ts';
import { type Alike, type Digest, difference, digest } from './digest.ts';
import type { Logtool } from './programs.ts';
import { type Cost, type Pipeline, runOnce } from './run-once.ts';

/** One thing to do, said to logtool and to its peer in their own words. */
export interface Comparison {
  readonly name: string;
  /** Arguments of logtool. */
  readonly logtool: (bench: Bench) => readonly string[];
  readonly peer: (bench: Bench) => Pipeline;
  readonly alike: Alike;
  readonly goals?: (kind: Logtool['kind']) => Goals;
  /** Looks whether it can be measured here; throws Skipped. */
  readonly prepare?: (bench: Bench) => Promise<void>;
}

/**
 * Start to exit, in turn, so many rounds. Before them each runs once unmeasured: caches are warm then, and the outputs
 * are compared, since a fast wrong answer is worth nothing.
 */
export function comparison(one: Comparison): Case {
  return {
    name: one.name,
    async run(bench) {
      await one.prepare?.(bench);
      const peer = one.peer(bench);
      const expected = await named(`${peer[0]?.[0]}`, digest(peer, bench.place.env));
      if (expected.bytes === 0 && one.alike !== 'nothing') throw new Error(`${peer[0]?.[0]} printed nothing`);
      const peerCosts: Cost[] = [];
      const ways = bench.programs.logtools.map(({ kind, command }) => ({
        kind,
        pipeline: [[...command, ...one.logtool(bench)]],
        costs: [] as Cost[],
      }));
      const notes = new Map<string, string>();
      for (const { kind, pipeline } of ways)
        notes.set(kind, noteOf(one.alike, await named(kind, digest(pipeline, bench.place.env)), expected));
      for (let round = 0; round < bench.rounds; round++) {
        for (const { kind, pipeline, costs } of ways)
          costs.push(await named(kind, runOnce(pipeline, runPlace(bench))));
        peerCosts.push(await named(`${peer[0]?.[0]}`, runOnce(peer, runPlace(bench))));
      }
      return ways.map(
        ({ kind, costs }): Row => ({
          who: kind,
          cells: costCells(costs, peerCosts, one.goals?.(kind) ?? {}),
          note: notes.get(kind) ?? '',
        }),
      );
    },
  };
}

function runPlace({ place, directory }: Bench) {
  return { env: place.env, directory };
}

function noteOf(alike: Alike, own: Digest, peer: Digest): string {
  const size = `${(peer.bytes / 1e6).toFixed(peer.bytes < 1e6 ? 3 : 1)} MB`;
  const differs = difference(alike, own, peer);
  if (differs !== undefined) return `**wrong output**: ${differs}`;
  return alike === 'nothing' ? '' : `same ${alike} (${size})`;
}

async function named<T>(who: string, run: Promise<T>): Promise<T> {
  try {
    return await run;
  } catch (error) {
    throw new Error(`${who.split('/').at(-1)}: ${(error as Error).message}`);
  }
}
