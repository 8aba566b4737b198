import type { Bench, Case, Goals } from '../cases/case.ts';
import { costCells, type Row, WRONG } from '../report/row.ts';
import { type Alike, type Digest, difference, digest, likeness } from './digest.ts';
import type { Logtool } from './programs.ts';
import { PREFIX } from './records.ts';
import { type Cost, type Pipeline, runOnce } from './run-once.ts';

/** One thing to do, said to logtool and to its peer in their own words. */
export interface Comparison {
  readonly name: string;
  /** Arguments of logtool. */
  readonly logtool: (bench: Bench) => readonly string[];
  readonly peer: (bench: Bench) => Pipeline;
  readonly alike: Alike;
  /** What the peer is told where outputs are compared, if by itself it leaves the time out. */
  readonly peerWithTimes?: (bench: Bench) => Pipeline;
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
      const compared = { ...peer, pipeline: one.peerWithTimes?.(bench) ?? peer.pipeline };
      const expected = await digested(bench, compared, one.alike, PREFIX.kubectl);
      if (expected.bytes === 0 && one.alike !== 'nothing') throw new Error(`${peer.who} printed nothing`);
      const notes: string[] = [];
      for (const way of own) notes.push(await note(bench, one.alike, way, compared, expected));
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
  const differs = difference(alike, await digested(bench, way, alike, PREFIX.logtool), expected);
  if (differs === undefined) return likeness(alike, expected);
  const again = await digested(bench, peer, alike, PREFIX.kubectl);
  return again.sha256 === expected.sha256
    ? `${WRONG}: ${differs}`
    : 'outputs not compared: the log changed meanwhile';
}

function digested(bench: Bench, { who, pipeline }: Way, alike: Alike, prefix: RegExp): Promise<Digest> {
  const isOfRecords = alike === 'records' || alike === 'last records';
  return named(who, digest(pipeline, bench.place.env, isOfRecords ? prefix : undefined));
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
