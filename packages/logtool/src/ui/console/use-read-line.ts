import { useEffect, useRef } from 'react';
import type { ViewPlan } from '../worker/protocol/protocol.ts';
import { factLinkOf } from '../worker/store/link.ts';
import { isSameRange } from '../worker/store/plan-change.ts';
import type { ConsoleSession } from './session/console-session.ts';
import type { ConsoleUrl, SetUrl } from './url/console-url.ts';
import { WhenStill } from './url/when-still.ts';

/** The address follows the reader once the row being read has been the same for this long, ms. */
const STILL_MS = 400;

interface ReadLineOptions {
  readonly session: ConsoleSession;
  readonly url: ConsoleUrl;
  readonly setUrl: SetUrl;
  readonly plan: ViewPlan;
  readonly isOpening: boolean;
  /** ConsoleState.opened */
  readonly opened: number;
}

/**
 * Goes to the line of a link once, when the view is open. While a user reads (scrolled away from the newest line),
 * the address contains the row being read, and the range in absolute times, so that a reload stays there.
 */
export function useReadLine({ session, url, setUrl, plan, isOpening, opened }: ReadLineOptions): void {
  const known = useRef<string | undefined>(undefined);
  const knownIn = useRef(plan);
  const { line } = url;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a view has opened, the effect jumps again
  useEffect(() => {
    // A view whose range changes, as when its end passes, opens again and stays at the line.
    if (!isSameRange(knownIn.current, plan)) known.current = undefined;
    knownIn.current = plan;
    if (line === undefined || isOpening || session.isOpening || known.current === line) return;
    known.current = line;
    session.jump({ at: 'line', link: line }, 'middle').then(
      (found) => {
        session.setGoneLine(found ? undefined : line);
      },
      () => undefined,
    );
  }, [session, line, isOpening, opened, plan]);
  const latest = useRef({ url, setUrl, plan });
  useEffect(() => {
    latest.current = { url, setUrl, plan };
  });
  useEffect(() => {
    if (isOpening) return;
    const readNow = (): ReadLine => (session.state().isFollowing ? 'newest' : readLink(session));
    let before = readNow();
    const write = (link: ReadLine) => {
      const isMoved = link !== undefined && link !== before;
      // The first row seen is where the view opened, not where the reader went.
      const isFirst = before === undefined;
      before = link ?? before;
      if (!isMoved || isFirst || link === 'newest') return;
      const { url: now, setUrl: set, plan: shown } = latest.current;
      known.current = link;
      const isRelative = now.last !== undefined && shown.from !== undefined;
      set(isRelative ? { line: link, last: undefined, from: shown.from.at } : { line: link }, {
        replace: true,
      });
    };
    const still = new WhenStill({ read: readNow, take: write, stillMs: STILL_MS, afterMs });
    const ends = [session.scroller.subscribe(still.changed), session.subscribe(still.changed)];
    return () => {
      still.end();
      for (const end of ends) end();
    };
  }, [session, isOpening]);
}

function afterMs(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/** The name of the line being read; undefined: none. */
type ReadLine = 'newest' | string | undefined;

/** The name of the line being read: the active one if it is in view, else the one in the middle. */
function readLink({ scroller, state }: ConsoleSession): string | undefined {
  const { active, around, goneLine } = state();
  if (around !== undefined || goneLine !== undefined) return undefined;
  const rows = scroller.rowsInView;
  const current = rows.find(({ entry }) => entry === active);
  if (current?.kind === 'fact') return factLinkOf(current.fact);
  if (current?.kind === 'line') return current.link;
  const lines = rows.flatMap((row) => (row.kind === 'line' ? [row] : []));
  return lines[Math.floor(lines.length / 2)]?.link;
}
