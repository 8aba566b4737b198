import { parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { HeldLog } from '../store/held-log.ts';
import { markerOfGap } from './marker-text.ts';
import type { Page } from './page-reader.ts';

/** So many containers are named. */
const NAMED = 3;
/** What is said of the lines themselves. All else that a page tells is told by the stream that follows too. */
const OF_LINES: ReadonlySet<string> = new Set(['line-cut', 'rotated']);

/**
 * Says what a page does not have: containers whose log could not be read (a problem until a page has their lines, and
 * a row where they are missing), source arguments that failed, gaps. `at`: where the lines of the page begin.
 */
export function tellTroubles(log: HeldLog, page: Page, at: Timestamp | undefined): void {
  const failed: string[] = [];
  let why = '';
  const isFailed = new Set<string>();
  for (const frame of page.told) {
    if (frame.type === 'notice') {
      const { error, code, text } = frame;
      const key = `notice ${code} ${text}`;
      if (error !== undefined) log.problems.set(key, { key, error, source: undefined });
      else if (OF_LINES.has(code) && !isTold(log, text)) mark(log, 'notice', text, at);
      continue;
    }
    const wire = page.sources.find(({ index }) => index === frame.source);
    if (wire === undefined) continue;
    const source = log.store.sources.take(wire, false);
    if (frame.type === 'gap') {
      const marker = markerOfGap(frame, wire, source);
      if (!isTold(log, marker.text)) log.mark(marker, parseTimestamp(frame.from ?? frame.to ?? '') ?? at);
      continue;
    }
    if (frame.error === undefined) continue;
    isFailed.add(wire.id);
    const key = problemOfPage(wire.id);
    // A container that cannot be read at all is not told of with every page.
    if (!log.problems.has(key) && !log.problems.has(`source ${wire.id}`)) {
      failed.push(`${wire.pod}/${wire.container}`);
      why ||= frame.error.denied === undefined ? (frame.error.why ?? frame.error.what) : frame.error.what;
    }
    log.problems.set(key, { key, error: frame.error, source });
  }
  for (const { id } of page.sources) if (!isFailed.has(id)) log.problems.delete(problemOfPage(id));
  if (failed.length === 0) return;
  const others = failed.length - NAMED;
  const names = failed.slice(0, NAMED).join(', ') + (others > 0 ? ` and ${others} more` : '');
  mark(log, 'gap', `${names} · lines are missing here: ${why}`, at);
}

function problemOfPage(id: string): string {
  return `page ${id}`;
}

function mark(log: HeldLog, marker: 'gap' | 'notice', text: string, at: Timestamp | undefined): void {
  log.mark({ marker, source: undefined, text, isWarning: marker === 'gap' }, at);
}

/** Pages that meet, or are read twice, tell the same. */
function isTold(log: HeldLog, text: string): boolean {
  for (const marker of log.store.markers.values()) if (marker.text === text) return true;
  return false;
}
