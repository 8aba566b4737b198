import { parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { logMessageOf } from '../../messages/log-message-of.ts';
import { markerOfGap, markerOfUnread } from '../../messages/markers.ts';
import { noticeText } from '../../messages/notices.ts';
import { isLostFrame } from '../known/known-gap.ts';
import { pageProblem, streamProblem } from '../known/problem-keys.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { Page } from './page-reader.ts';

/** Notices about the lines themselves. The following stream also reports all others. */
const OF_LINES: ReadonlySet<string> = new Set(['line-cut']);

type PageReport = Page['reports'][number];
type StateReport = Extract<PageReport, { readonly type: 'state' }>;
type FailedReport = Extract<StateReport, { readonly error: unknown }>;
type StateError = FailedReport['error'];

/**
 * Reports what a page lacks: containers whose log could not be read (a problem until a page has their lines, and a row
 * where lines are missing), source arguments that failed, and gaps. `at`: where the lines of the page begin.
 */
export function reportPage(log: HeldLog, page: Page, at: Timestamp | undefined): void {
  const unread: FailedReport[] = [];
  for (const frame of page.reports) {
    if (frame.type === 'notice') reportNotice(log, frame, at);
    else if (frame.type === 'gap') reportGap(log, page, frame, at);
    else if ('error' in frame) unread.push(frame);
    else frame.type satisfies 'state';
  }
  reportUnread(log, page, unread, at);
}

/** Containers (LogSource.id) whose log could not be read. */
export function failedIn({ reports, sources }: Page): ReadonlySet<string> {
  const indexes = reports.flatMap((report) =>
    report.type === 'state' && 'error' in report ? [report.source] : [],
  );
  return new Set(sources.filter(({ index }) => indexes.includes(index)).map(({ id }) => id));
}

function reportNotice(
  log: HeldLog,
  frame: Extract<PageReport, { readonly type: 'notice' }>,
  at: Timestamp | undefined,
): void {
  if (frame.code === 'source-failed') {
    const { error } = frame;
    const key = `notice source-failed ${logMessageOf(error).what}`;
    log.problems.set(key, { key, error, source: undefined, isOfSource: true });
    return;
  }
  const text = noticeText(frame);
  if (OF_LINES.has(frame.code) && !isReported(log, text))
    log.mark({ marker: 'notice', source: undefined, text, isWarning: false }, at);
}

function reportGap(
  log: HeldLog,
  page: Page,
  frame: Extract<PageReport, { readonly type: 'gap' }>,
  at: Timestamp | undefined,
): void {
  const wire = page.sources.find(({ index }) => index === frame.source);
  if (wire === undefined) return;
  if (isLostFrame(frame)) {
    log.noteLost(wire.id, frame);
    return;
  }
  const marker = markerOfGap(frame, wire, log.store.sources.takeRead(wire, false));
  if (!isReported(log, marker.text)) log.markGap(marker, parseTimestamp(frame.from ?? frame.to ?? '') ?? at);
}

/**
 * Reports containers whose log could not be read: a problem for each, and one row for all that no earlier page
 * reported.
 */
function reportUnread(
  log: HeldLog,
  page: Page,
  unread: readonly FailedReport[],
  at: Timestamp | undefined,
): void {
  const fresh: { readonly name: string; readonly error: StateError }[] = [];
  const unreadIds = new Set<string>();
  for (const { source, error } of unread) {
    const wire = page.sources.find(({ index }) => index === source);
    if (wire === undefined) continue;
    unreadIds.add(wire.id);
    const key = pageProblem(wire.id);
    // A container that cannot be read at all is not reported again with every page.
    const isKnown = log.problems.has(key) || log.problems.has(streamProblem(wire.id));
    if (!isKnown) fresh.push({ name: `${wire.pod}/${wire.container}`, error });
    log.problems.set(key, { key, error, source: log.store.sources.takeRead(wire, false) });
  }
  for (const { id } of page.sources) if (!unreadIds.has(id)) log.problems.delete(pageProblem(id));
  const [first] = fresh;
  if (first === undefined) return;
  const names = fresh.map(({ name }) => name);
  log.mark(markerOfUnread(names, reasonOf(first.error)), at);
}

function reasonOf(error: StateError): string {
  const { what, why } = logMessageOf(error);
  return error.denied === undefined ? (why ?? what) : what;
}

/** Whether a page reported the same text before: adjacent pages, or a page that is read twice, repeat reports. */
function isReported(log: HeldLog, text: string): boolean {
  for (const marker of log.store.markers.values()) if (marker.text === text) return true;
  return false;
}
