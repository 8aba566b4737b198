import { wallTime, type ZoneClock } from '../console/state/zone-time.ts';
import type { BufferStatus } from '../worker/protocol/protocol.ts';

/** Names the action that loads more at an end of the list. */
export const LOAD_TEXTS = { older: 'Load older lines', newer: 'Load newer lines' } as const;

/** Names the action that reads the log files that these nodes rotated away; `nodes`: at least one. */
export function olderFilesText(nodes: readonly string[]): string {
  const [node] = nodes;
  return `Load older log files from ${nodes.length === 1 ? node : `${nodes.length.toLocaleString('en')} nodes`}`;
}

/** What reading files of nodes requires. */
export const OLDER_FILES_TITLE =
  'Reads the log files that the node rotated away. Requires permission to get nodes/proxy.';

/** Text below the last row while more lines load; undefined: none. */
export const FOOT_TEXTS: { readonly [L in BufferStatus['loading']]: string | undefined } = {
  none: undefined,
  opening: undefined,
  older: undefined,
  newer: 'Loading newer lines…',
  jumping: undefined,
};

/** Says where a filtered list ends because no more lines were loaded there: the time of the last loaded line. */
export function notLoadedText(what: 'older' | 'newer', seconds: number, clock: ZoneClock): string {
  const { date, time } = wallTime(clock, { seconds, nanos: 0 });
  return `The page has not loaded lines ${what === 'older' ? 'before' : 'after'} ${date} ${time.slice(0, 8)}.`;
}
