import { compareTimestamps, formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { WireRecord } from '../../../contract/wire-record.ts';
import type { Page } from './page-reader.ts';

/** Lines of a page that come in any case. */
const MIN_LINES = 100;

/**
 * The part of a page without late containers that is near what is held: as many of its records as would have been in the
 * page with all. Those of a few containers may reach so far that the others have too many lines in the same time.
 */
export function nearestRecords(page: Page, kind: 'head' | 'tail', count: number): Page {
  if (page.late.length === 0) return page;
  const all = new Set(page.sources.map(({ id }) => id)).size;
  const share = Math.max(MIN_LINES, Math.ceil((count * (all - page.late.length)) / all));
  return kind === 'tail' ? newest(page, share) : oldest(page, share);
}

function newest(page: Page, share: number): Page {
  const { records, end } = page;
  let first = Math.max(0, records.length - share);
  while (first > 0 && first < records.length && isSame(records[first - 1]!, records[first]!)) first++;
  const begin = records[first];
  if (first === 0 || begin === undefined) return page;
  return { ...page, records: records.slice(first), end: { ...end, prev: timeOf(begin), cut: true } };
}

function oldest(page: Page, share: number): Page {
  const { records, end } = page;
  let last = share;
  while (last < records.length && isSame(records[last - 1]!, records[last]!)) last++;
  const next = records[last];
  if (next === undefined) return page;
  return { ...page, records: records.slice(0, last), end: { ...end, next: timeOf(next), cut: true } };
}

function isSame(a: WireRecord, b: WireRecord): boolean {
  return compareTimestamps(atOf(a), atOf(b)) === 0;
}

function timeOf(record: WireRecord): string {
  return formatTimestamp(atOf(record));
}

function atOf([, seconds, nanos]: WireRecord): Timestamp {
  return { seconds, nanos };
}
