import {
  compareTimestamps,
  parseTimestamp,
  type Timestamp,
  timestampToMs,
} from '@logtool/kube/src/values/timestamp.ts';
import { KIND, VERDICT } from '../store/entry-table.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { HeldSource } from '../store/source-table.ts';
import type { RangeScan } from './range-scan.ts';

/** Lines of one container, level (index in COUNTED_LEVELS) and bucket of time (ms since the epoch). */
type Visit = (source: HeldSource, level: number, atMs: number, lines: number) => void;

/**
 * Calls with the lines of a range: what a scan has counted, and, where the range has no end, the lines that came since.
 * `onlyMatches`: those that search and fields find.
 */
export function eachCount(log: HeldLog, scan: RangeScan, onlyMatches: boolean, visit: Visit): void {
  const sources = sourcesById(log);
  scan.counts.each((id, bucket) => {
    const source = sources.get(id);
    if (source === undefined) return;
    const counts = onlyMatches ? bucket.matches : bucket.lines;
    for (let level = 0; level < counts.length; level++) {
      const lines = counts[level] ?? 0;
      if (lines > 0) visit(source, level, bucket.fromMs, lines);
    }
  });
  if (scan.range.to === undefined) eachLater(log, scan, onlyMatches, visit);
}

/** One run of each container, by LogSource.id: what filters decide is the same for all of them. */
function sourcesById({ store }: HeldLog): ReadonlyMap<string, HeldSource> {
  return new Map(store.sources.all.map((source) => [source.wire.id, source]));
}

/** The end of what a scan has read of a container, and how many lines at exactly that time it has. */
interface ReadEnd {
  readonly at: Timestamp;
  left: number;
}

/** Lines that are held and were written after the scan had read their container to its end. */
function eachLater({ store }: HeldLog, scan: RangeScan, onlyMatches: boolean, visit: Visit): void {
  const { table, sources, order } = store;
  const byId = new Map<string, ReadEnd | undefined>();
  for (const { wire } of sources.all) if (!byId.has(wire.id)) byId.set(wire.id, endOf(scan, wire.id));
  const ends = sources.all.map(({ wire }) => byId.get(wire.id));
  const first = ends.reduce<Timestamp | undefined>(
    (least, end) =>
      end !== undefined && (least === undefined || compareTimestamps(end.at, least) < 0) ? end.at : least,
    undefined,
  );
  if (first === undefined) return;
  for (const id of order.from(store.positionOf(first))) {
    if (table.kind(id) !== KIND.line) continue;
    const source = table.source(id);
    const at = store.time(id);
    if (!isLater(at, ends[source]) || (onlyMatches && !isMatch(table, scan, id))) continue;
    visit(sources.get(source), table.level(id), timestampToMs(at), 1);
  }
}

/** Whether a line was written after the end of what was read; each line at exactly that time must be asked for once. */
function isLater(at: Timestamp, end: ReadEnd | undefined): boolean {
  if (end === undefined) return false;
  const after = compareTimestamps(at, end.at);
  return after > 0 || (after === 0 && end.left-- <= 0);
}

/** Undefined: the scan has not read the container to its end, so what is held later is not all. */
function endOf({ counts, range }: RangeScan, id: string): ReadEnd | undefined {
  const read = counts.readOf(id);
  // It came after the scan: all of it is later.
  if (read === undefined)
    return counts.sources.has(id) ? undefined : { at: range.from ?? BEGINNING, left: 0 };
  if (!read.isWhole) return undefined;
  const at = read.position && parseTimestamp(read.position.at);
  return at === undefined
    ? { at: range.from ?? BEGINNING, left: 0 }
    : { at, left: read.position?.shown ?? 0 };
}

function isMatch(
  table: HeldLog['store']['table'],
  { isSearching, hasFields }: RangeScan,
  id: number,
): boolean {
  if (hasFields && table.verdict('fielded', id) !== VERDICT.hit) return false;
  return !isSearching || table.verdict('searched', id) === VERDICT.hit;
}

const BEGINNING: Timestamp = { seconds: Number.NEGATIVE_INFINITY, nanos: 0 };
