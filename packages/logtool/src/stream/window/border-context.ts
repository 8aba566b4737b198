import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Bound } from '../../domain/window.ts';
import type { EnginePlan } from '../engine.ts';
import { followingNear } from '../follow/following-near.ts';
import type { ContextLines } from '../match/context-lines.ts';
import type { ReadContext } from '../read-context.ts';
import { ContainerLane } from './container-lane.ts';
import { readContainerTail } from './container-tail.ts';
import { inTurns } from './in-turns.ts';
import { isKept } from './tail-keeper.ts';
import type { WindowInput } from './window-result.ts';

/*
 * A page is a part of what a search over everything shows. So a line of it may be shown for a match of its container on
 * another page: lines of several containers lie among one another, and a search may have been limited.
 */

/** Lines around matches go on behind the cursor that a window begins at. */
export async function takeUpContext(
  context: ReadContext,
  input: WindowInput,
  plan: EnginePlan,
  lines: ContextLines,
): Promise<void> {
  const { from } = plan.window;
  if (from?.kind !== 'cursor') return;
  for (const [id, count] of await linesFollowing(context, input, plan, from.cursor.at))
    lines.follow(id, count);
}

/** How many lines of each container, from a time on, still follow a match in front of that time. */
export async function linesFollowing(
  context: ReadContext,
  input: WindowInput,
  plan: EnginePlan,
  at: Timestamp,
): Promise<ReadonlyMap<string, number>> {
  const { afterContext } = plan.filter;
  const { previous } = plan.window;
  const { matches } = input;
  if (afterContext === 0 || matches === undefined) return new Map();
  const from = plan.window.from?.kind === 'cursor' ? undefined : plan.window.from;
  return lookAtEach(context, input, plan, async (reading, target) => {
    const near = { matches, after: afterContext, at, from, previous };
    const known = await followingNear(reading, target, near);
    if (known !== undefined) return known;
    const tail = await readContainerTail(reading, target, afterContext, {
      ...{ from, to: { kind: 'strict', at }, previous, thenFollow: false, behindTo: undefined },
      keep: {
        ...{ matches, mostMatches: Number.POSITIVE_INFINITY, before: 0, after: 0 },
        ...{ timesOnly: false, isSparse: false, countedAt: 'everywhere' },
      },
    });
    const nearest = tail.records.findLastIndex(isKept);
    return nearest === -1 ? 0 : afterContext - (tail.records.length - 1 - nearest);
  });
}

/** How many lines of each container, up to the cursor that a window ends at, stand in front of a match behind that. */
export async function linesInFront(
  context: ReadContext,
  input: WindowInput,
  plan: EnginePlan,
): Promise<ReadonlyMap<string, number>> {
  const { beforeContext } = plan.filter;
  const { matches } = input;
  const { to, previous } = plan.window;
  if (beforeContext === 0 || to?.kind !== 'cursor' || matches === undefined) return new Map();
  const { at, shown } = to.cursor;
  // What the window's own read has of the cursor's time need not be looked at.
  const from: Bound = { kind: shown === 0 ? 'inclusive' : 'strict', at };
  return lookAtEach(context, input, plan, async (reading, target) => {
    const lane = new ContainerLane(reading, target, { from, to: undefined, previous, thenFollow: false });
    let left = beforeContext;
    for await (const batch of lane.batches()) {
      await matches.prepare?.(batch);
      for (const record of batch) {
        if (matches(record)) return left;
        if (--left === 0) return 0;
      }
    }
    return 0;
  });
}

async function lookAtEach(
  context: ReadContext,
  { targets }: WindowInput,
  plan: EnginePlan,
  look: (reading: ReadContext, target: ContainerTarget) => Promise<number>,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  // What cannot be read is told of where the window itself is read.
  const lookAt = async (target: ContainerTarget) => {
    const abort = new AbortController();
    const signal = AbortSignal.any([context.signal, abort.signal]);
    try {
      const count = await look({ ...context, signal, report: () => undefined }, target);
      if (count > 0) counts.set(target.id, count);
    } finally {
      abort.abort(new Error('enough was read'));
    }
  };
  for await (const _ of inTurns(targets, Math.max(1, plan.maxLogRequests), lookAt));
  return counts;
}
