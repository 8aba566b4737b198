import type { Bench, Case, Goals } from '../cases/case.ts';
import { costCells, type Row } from '../report/row.ts';
import { type Alike, type Digest, difference, digest, likeness } from './digest.ts';
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

/** A logtool, or the peer, in this case. */
interface Way {
  readonly who: string;
  readonly pipeline: Pipeline;
  readonly costs: Cost[];
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
      const peer = wayOf(peerName(one.peer(bench)), one.peer(bench));
      const own = bench.programs.logtools.map(({ kind, command }) => ({
        kind,
        ...wayOf(kind, [[...command, ...one.logtool(bench)]]),
      }));
      const expected = await digested(bench, peer);
      if (expected.bytes === 0 && one.alike !== 'nothing') throw new Error(`${peer.who} printed nothing`);
      const notes: string[] = [];
      for (const way of own) notes.push(await note(bench, one.alike, way, peer, expected));
      for (let round = 0; round < bench.rounds; round++)
        for (const way of [...own, peer]) way.costs.push(await ran(bench, way));
      return own.map(
        ({ kind, costs }, index): Row => ({
          who: kind,
          cells: costCells(costs, peer.costs, one.goals?.(kind) ?? {}),
          note: notes[index] ?? '',
        }),
      );
    },
  };
}

function wayOf(who: string, pipeline: Pipeline): Way {
  return { who, pipeline, costs: [] };
}

function peerName(pipeline: Pipeline): string {
  return pipeline.map(([program]) => program?.split('/').at(-1)).join(' | ');
}

/** How the output compares with the peer's, which was the same before and after unless the log grows. */
async function note(bench: Bench, alike: Alike, way: Way, peer: Way, expected: Digest): Promise<string> {
  const differs = difference(alike, await digested(bench, way), expected);
  if (differs === undefined) return likeness(alike, expected);
  const again = await digested(bench, peer);
  return again.sha256 === expected.sha256
    ? `**wrong output**: ${differs}`
    : 'outputs not compared: the log changed meanwhile';
}

function digested(bench: Bench, { who, pipeline }: Way): Promise<Digest> {
  return named(who, digest(pipeline, bench.place.env));
}

function ran({ place, directory }: Bench, { who, pipeline }: Way): Promise<Cost> {
  return named(who, runOnce(pipeline, { env: place.env, directory }));
}

async function named<T>(who: string, run: Promise<T>): Promise<T> {
  try {
    return await run;
  } catch (error) {
    throw new Error(`${who}: ${(error as Error).message}`);
  }
}
