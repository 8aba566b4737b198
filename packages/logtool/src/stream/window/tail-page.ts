import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { EnginePlan } from '../engine.ts';
import type { ReadContext } from '../read-context.ts';
import { linesFollowing, linesInFront } from './border-context.ts';
import { pageWithContext } from './tail-context.ts';
import type { Part } from './tail-part.ts';
import type { WindowInput } from './window-result.ts';

/** What a search back has found. */
export interface TailFound {
  readonly parts: readonly Part[];
  /** All that is known, in the total order. */
  readonly everything: readonly LogRecord[];
  /** The matches inside the window. */
  readonly passed: readonly LogRecord[];
  /** The last of them, which are the page's. */
  readonly matches: readonly LogRecord[];
  /** Up to this time nothing was searched. */
  readonly stopped: Timestamp | undefined;
}

/** Whether a window is one of several that are walked through, or may become one. */
export function isPage({ window: { from, to }, cursors }: EnginePlan): boolean {
  return cursors || from?.kind === 'cursor' || to?.kind === 'cursor';
}

/** The lines of a page back, for matches on it and on those beside it; some may lie behind its cursors. */
export async function tailPage(
  context: ReadContext,
  input: WindowInput,
  plan: EnginePlan,
  { parts, everything, passed, matches, stopped }: TailFound,
): Promise<readonly LogRecord[]> {
  const { from } = plan.window;
  const begin =
    stopped === undefined ? (from?.kind === 'cursor' ? from.cursor.at : undefined) : behind(stopped);
  const page = {
    all: everything,
    matches: new Set(parts.flatMap((part) => part.passed)),
    chosen: matches,
    before: passed.at(-1 - matches.length),
    floor: stopped,
    following: begin === undefined ? new Map() : await linesFollowing(context, input, plan, begin),
    inFront: await linesInFront(context, input, plan),
  };
  return pageWithContext(page, plan.filter);
}

/** The next time of all. */
export function behind({ seconds, nanos }: Timestamp): Timestamp {
  return nanos === 999_999_999 ? { seconds: seconds + 1, nanos: 0 } : { seconds, nanos: nanos + 1 };
}
