import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import { isFiltering } from '../../domain/filter.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import { passThrough } from '../copy/passthrough.ts';
import { followContainers } from '../follow/follow.ts';
import { resumeEnds } from '../follow/resume-view.ts';
import type { MakeFilter } from '../match/batch-filter.ts';
import type { RecordFilter } from '../match/compile-filter.ts';
import type { EnginePlan, ReadLogs } from '../plan/engine.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { nameOf } from '../run/report-container.ts';
import { forwardWindow } from '../window/forward-window.ts';
import { tailWindow } from '../window/tail-window.ts';
import type { WindowInput } from '../window/window-result.ts';
import { guessLog } from './log-guess.ts';
import { View } from './open-view.ts';

/** Reads logs: see engine.ts. Rejects only when the signal is aborted (with its reason) or when the sources do. */
export const readLogs: ReadLogs = async function* (context, sources, plan) {
  const view = new View(context, sources);
  try {
    const guess = context.backend === undefined ? guessLog(view.reading, plan) : undefined;
    const { retryMs, previousMs } = plan;
    for await (const frame of readWindow({ ...view.reading, guess, retryMs, previousMs }, view, plan)) {
      yield* view.takeReports();
      yield frame;
    }
    yield* view.takeReports();
  } finally {
    view.close();
  }
};

async function* readWindow(
  context: ReadContext,
  view: View,
  plan: EnginePlan,
): AsyncGenerator<Frame, void, undefined> {
  const filter = await filterOf(context, plan);
  const open = filter && (() => filter.open(reportLost(context)));
  const makeFilter = plan.window.follow ? once(open) : open;
  const found: ContainerTarget[] = [];
  yield* view.gather(found);
  const targets = found.filter(({ id }) => plan.without?.has(id) !== true);
  const { feed } = view;
  if (plan.window.follow) feed.readAhead();
  if (plan.resume !== undefined) {
    const ends = await resumeEnds(context, targets, plan.resume, plan.window.previous);
    yield* followContainers(context, feed, ends, targets, makeFilter, plan, undefined);
    return;
  }
  const input: WindowInput = { targets, makeFilter, matches: filter?.matches, records: filter?.records };
  // Only the log API returns bytes that need no parsing.
  const copied = context.backend === undefined && (yield* passThrough(context, input, plan));
  if (copied) return;
  const window = plan.window.selection.kind === 'tail' ? tailWindow : forwardWindow;
  const { prev, next, cut, ends, last, late } = yield* window(context, input, plan);
  const live = plan.window.follow && plan.window.previous !== 'only';
  yield { type: 'end', live, prev, next: live ? undefined : next, cut };
  if (live) yield* followContainers(context, feed, ends, targets, makeFilter, plan, last, late);
}

/** Reports once that some lines before matches are missing. */
function reportLost(context: ReadContext): (match: LogRecord, lost: number) => void {
  let isReported = false;
  return ({ at, run: { target } }, lost) => {
    if (isReported) return;
    isReported = true;
    const data = { container: nameOf(target), at: formatTimestamp(at), lost };
    context.report({ type: 'notice', code: 'context-cut', data });
  };
}

/** Reports once that lines are too long for the patterns. */
function notifyOfCut(context: ReadContext): (record: LogRecord, bytes: number) => void {
  let isReported = false;
  return ({ at, message, run: { target } }, bytes) => {
    if (isReported) return;
    isReported = true;
    const data = {
      container: nameOf(target),
      at: formatTimestamp(at),
      bytes: message.length,
      limitBytes: bytes,
    };
    context.report({ type: 'notice', code: 'long-lines', data });
  };
}

/** Shares one filter between past and live records: the context of a match may span both. */
function once(open: MakeFilter | undefined): MakeFilter | undefined {
  if (open === undefined) return undefined;
  const filter = open();
  return () => filter;
}

async function filterOf(context: ReadContext, plan: EnginePlan): Promise<RecordFilter | undefined> {
  if (!isFiltering(plan.filter)) return undefined;
  // Loads regular expressions only if needed.
  const { compileFilter } = await import('../match/compile-filter.ts');
  const { person = '', signal } = context;
  return compileFilter(plan.filter, { person, signal }, notifyOfCut(context));
}
