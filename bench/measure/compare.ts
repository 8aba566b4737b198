import type { Bench, Case } from '../cases/case.ts';
import type { Goals } from '../report/row.ts';
import { costCells, type Row, WRONG } from '../report/row.ts';
import { type Alike, type Digest, difference, digest, likeness, type Reading } from './digest.ts';
import type { Logtool } from './programs.ts';
import { PREFIX } from './records.ts';
import { type Cost, type Pipeline, runOnce } from './run-once.ts';

/** One task, as commands of logtool and of its peer. */
export interface Comparison {
  readonly name: string;
  /** Arguments of logtool. */
  readonly logtool: (bench: Bench) => readonly string[];
  readonly peer: (bench: Bench) => Pipeline;
  readonly alike: Alike;
  /** Arguments for comparing outputs, if the default output omits parts to compare. */
  readonly logtoolCompared?: (bench: Bench) => readonly string[];
  readonly peerCompared?: (bench: Bench) => Pipeline;
  /** The prefix of the peer's lines, if it differs from kubectl's. */
  readonly peerPrefix?: keyof typeof PREFIX;
  /** Returns the objects of an output, if those must be equal. */
  readonly objectsIn?: (output: string) => readonly string[];
  readonly goals?: (kind: Logtool['kind']) => Goals;
  /** Checks whether the case can be measured here; throws Skipped if not. */
  readonly prepare?: (bench: Bench) => Promise<void>;
}

/** A logtool or the peer in this case. */
interface Way {
  readonly who: string;
  readonly pipeline: Pipeline;
  readonly costs: Cost[];
}

/**
 * Measures from start to exit, in turn, for this many rounds. Before them, each program runs once unmeasured: this
 * warms caches, and the case compares the outputs, because a fast wrong answer is worthless.
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
      const notes = await compared(bench, one, peer);
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

/**
 * Runs each program once and compares its output with the peer's. Returns a note for each logtool. Throws if the peer
 * printed nothing.
 */
async function compared(bench: Bench, one: Comparison, peer: Way): Promise<readonly string[]> {
  const way = { ...peer, pipeline: one.peerCompared?.(bench) ?? peer.pipeline };
  const readPeer = () => digested(bench, way, one, PREFIX[one.peerPrefix ?? 'kubectl']);
  const expected = await readPeer();
  if (expected.bytes === 0 && one.alike !== 'nothing') throw new Error(`${peer.who} printed nothing`);
  const notes: string[] = [];
  const argv = (one.logtoolCompared ?? one.logtool)(bench);
  for (const { kind, command } of bench.programs.logtools) {
    const own = { who: kind, pipeline: [[...command, ...argv]] };
    const differs = difference(one.alike, await digested(bench, own, one, PREFIX.logtool), expected);
    const isLike = differs === undefined;
    notes.push(isLike ? likeness(one.alike, expected) : reported(differs, expected, await readPeer()));
  }
  return notes;
}

function wayOf(who: string, pipeline: Pipeline): Way {
  return { who, pipeline, costs: [] };
}

function peerName(pipeline: Pipeline): string {
  return pipeline.map(([program]) => program?.split('/').at(-1)).join(' | ');
}

/** A difference counts only if the peer printed the same before and after: a log may grow. */
function reported(differs: string, before: Digest, after: Digest): string {
  return before.sha256 === after.sha256
    ? `${WRONG}: ${differs}`
    : 'outputs not compared: what is there changed meanwhile';
}

function digested(
  bench: Bench,
  { who, pipeline }: Pick<Way, 'who' | 'pipeline'>,
  { alike, objectsIn }: Comparison,
  prefix: RegExp,
): Promise<Digest> {
  const isOfRecords = alike === 'records' || alike === 'last records';
  const reading: Reading = { prefix: isOfRecords ? prefix : undefined, itemsOf: objectsIn };
  return named(who, digest(pipeline, bench.cluster.env, reading));
}

function ran({ cluster, directory }: Bench, { who, pipeline }: Way): Promise<Cost> {
  return named(who, runOnce(pipeline, { env: cluster.env, directory }));
}

async function named<T>(who: string, run: Promise<T>): Promise<T> {
  try {
    return await run;
  } catch (error) {
    throw new Error(`${who}: ${(error as Error).message}`);
  }
}
