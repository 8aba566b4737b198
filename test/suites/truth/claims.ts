import { compareTimestamps, type Timestamp, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { LEVELS } from '@logtool/logtool/src/domain/filter.ts';
import { isExact } from '@logtool/logtool/src/ui/messages/coverage.ts';
import type {
  BufferStatus,
  FacetCounts,
  Histogram,
  Row,
  ScanStatus,
} from '@logtool/logtool/src/ui/worker/session/protocol.ts';
import { expect } from 'vitest';
import { containerId, type WrittenRecord, type WrittenWorld } from './written-world.ts';

/* Compares the statements of a page at rest with the written records. */

/** Records of containers that can be read. */
const readable = (world: WrittenWorld, lines: readonly WrittenRecord[]) =>
  lines.filter(({ pod }) => !world.isRefused(pod));

/** Records of containers that have answered; the page names the other containers. */
const answered = (world: WrittenWorld, lines: readonly WrittenRecord[]) =>
  lines.filter(({ pod }) => world.hasAnswered(pod));

const isBefore = ({ at }: WrittenRecord, ms: number) => timestampToMs(at) < ms;

export async function checkClaims(world: WrittenWorld): Promise<void> {
  const { status } = world;
  if (status === undefined) throw new Error('no status came');
  const rows = await world.rows();
  checkRows(world, rows, status);
  if (rows.length === 0) checkEmpty(world, status);
  if (status.scan !== undefined) checkScan(world, status.scan);
  const { histogram } = await world.ask({ type: 'histogram', buckets: 60 }, 'histogram');
  checkHistogram(world, histogram, rows);
  const facets = world.sent.findLast((message) => message.type === 'facets')?.facets;
  if (facets !== undefined && status.scan !== undefined) checkFacets(world, facets, status.scan);
}

/**
 * Checks that records follow each other as written, and that every omission has a row that reports it. At
 * such a row a record may be cut: its loaded part is a row.
 */
function checkRows(world: WrittenWorld, rows: readonly Row[], status: BufferStatus): void {
  const truth = answered(world, world.inRange()).filter((line) => world.passes(line));
  const at = new Map(truth.map((line, index) => [line.text, index]));
  const isFragment = fragmentTest(world);
  let last = -1;
  let isOpen = !status.atBeginning;
  /** Pods with a row since the last range that is not loaded. */
  let seen = new Set<number>();
  for (const row of rows) {
    if (row.kind === 'missing' || (row.kind === 'marker' && row.marker === 'gap')) {
      isOpen = true;
      seen = new Set();
    }
    if (row.kind !== 'line') continue;
    const { pod } = world.recordWith(row.text) ?? {};
    const isFirst = pod !== undefined && !seen.has(pod);
    if (isFirst && isFragment(row.text) && !(status.atBeginning && last === -1)) continue;
    if (pod !== undefined) seen.add(pod);
    // A container that has not answered may have parts that were read later; such a row proves nothing else.
    if (isUnanswered(world, row.text)) continue;
    const index = at.get(row.text);
    expect(index, `${row.text} does not pass the filters`).toBeDefined();
    expect(index, `${row.text} is out of its place`).toBeGreaterThan(last);
    if (!isOpen) expect(index, `lines before ${row.text} are left out`).toBe(last + 1);
    last = index ?? last;
    isOpen = false;
  }
  const isWhole = status.atEnd && status.awayContainers === 0;
  if (isWhole && !isOpen && last !== -1) expect(last, 'the newest lines are left out').toBe(truth.length - 1);
}

/** Whether a row is the rest of a record whose first lines are not loaded. */
function fragmentTest(world: WrittenWorld): (text: string) => boolean {
  const heads = new Set(world.inRange().map(({ text }) => text));
  return (text) => !heads.has(text) && world.recordWith(text) !== undefined;
}

function isUnanswered(world: WrittenWorld, text: string): boolean {
  const pod = world.recordWith(text)?.pod;
  return pod !== undefined && !world.isRefused(pod) && !world.hasAnswered(pod);
}

/** Checks the text of the empty list: see emptiness.ts. */
function checkEmpty(world: WrittenWorld, { lines, scan, atBeginning, atEnd }: BufferStatus): void {
  const truth = answered(world, world.inRange());
  const matches = truth.filter((line) => world.passes(line));
  if (lines === 0 && (scan?.lines ?? 0) === 0 && scan?.state !== 'failed') {
    // The page then reports how many containers have not answered.
    if (world.isWaiting) return;
    if (scan === undefined || isExact(scan)) expect(truth.length, 'it says that there is no line').toBe(0);
  } else if ((atBeginning && atEnd) || (scan !== undefined && isExact(scan) && scan.lines === 0))
    expect(matches.length, 'it says that no line matches').toBe(0);
}

function checkScan(world: WrittenWorld, scan: ScanStatus): void {
  const inScope = scopeOf(world, scan);
  if (inScope === undefined) return;
  const shown = inScope.filter((line) => world.passes(line));
  expect(scan.lines, 'lines of the scan').toBe(shown.length);
  if (scan.hits !== undefined)
    expect(scan.hits, 'hits of the scan').toBe(
      inScope.filter((line) => world.passesFacets(line) && world.isHit(line)).length,
    );
  if (scan.errorsBegin !== undefined) {
    const at = scan.errorsBegin;
    const first = shown.find(
      (line) =>
        LEVELS.indexOf(line.level as never) <= LEVELS.indexOf('error') &&
        line.level !== 'none' &&
        isAt(line, at),
    );
    expect(first, 'errors begin where there is none').toBeDefined();
  }
}

const isAt = ({ at }: WrittenRecord, other: Timestamp) => compareTimestamps(at, other) === 0;

/** Returns the lines that a count covers, as in `scopeText`; undefined: it names no range. */
function scopeOf(world: WrittenWorld, scan: ScanStatus): readonly WrittenRecord[] | undefined {
  const all = world.inRange();
  if (isExact(scan)) return all;
  const { readToMs } = scan;
  if (readToMs === undefined) return undefined;
  if (readToMs === Number.POSITIVE_INFINITY) return readable(world, all);
  return readable(world, all).filter((line) => isBefore(line, readToMs));
}

function checkHistogram(world: WrittenWorld, histogram: Histogram, rows: readonly Row[]): void {
  const { fromSeconds, bucketSeconds, errors, warnings, others, unread } = histogram;
  const all = readable(world, world.inRange()).filter((line) => world.passes(line));
  // A container that has not answered the view may have answered a later request.
  const least = world.status?.scan === undefined ? answered(world, all) : all;
  const isFragment = fragmentTest(world);
  // Among loaded records, those that are cut count as their rest.
  const cut = rows.flatMap((row) =>
    row.kind === 'line' && world.status?.scan === undefined && isFragment(row.text)
      ? [{ at: { seconds: row.seconds, nanos: row.nanos }, level: row.level ?? ('none' as const) }]
      : [],
  );
  for (let bucket = 0; bucket < others.length; bucket++) {
    const begin = (fromSeconds + bucket * bucketSeconds) * 1000;
    const end = begin + bucketSeconds * 1000;
    const drawn = [errors[bucket] ?? 0, warnings[bucket] ?? 0, others[bucket] ?? 0];
    const name = `bucket ${bucket} of ${others.length} from ${new Date(begin).toISOString()}`;
    const most = barOf([...all, ...cut], begin, end);
    for (const [index, count] of most.entries())
      expect(drawn[index], `${name} has too many`).toBeLessThanOrEqual(count);
    if (unread?.[bucket] === true) continue;
    for (const [index, count] of barOf(least, begin, end).entries())
      expect(drawn[index], `${name} has too few`).toBeGreaterThanOrEqual(count);
  }
}

/** Returns errors, warnings and other lines between two times in ms. */
function barOf(
  lines: readonly Pick<WrittenRecord, 'at' | 'level'>[],
  begin: number,
  end: number,
): readonly number[] {
  const inside = lines.filter(({ at }) => timestampToMs(at) >= begin && timestampToMs(at) < end);
  const errors = inside.filter(({ level }) => level === 'error' || level === 'fatal').length;
  const warnings = inside.filter(({ level }) => level === 'warn').length;
  return [errors, warnings, inside.length - errors - warnings];
}

/** Counts of each value respect the other filters, in the range that was read. */
function checkFacets(world: WrittenWorld, facets: FacetCounts, scan: ScanStatus): void {
  const inScope = scopeOf(world, scan);
  if (inScope === undefined) return;
  const { facets: asked, search } = world.asked;
  const isShown = (line: WrittenRecord) => !search.only || search.text === '' || world.isHit(line);
  const passes = (name: 'level' | 'container', value: string) =>
    (asked.include[name]?.length ? asked.include[name].includes(value) : true) &&
    !asked.exclude[name]?.includes(value);
  const levels = inScope.filter((line) => isShown(line) && passes('container', containerId(line.pod)));
  const containers = inScope.filter((line) => isShown(line) && passes('level', line.level));
  for (const [level, count] of Object.entries(facets.level))
    expect(count, `facet ${level}`).toBe(levels.filter((line) => line.level === level).length);
  for (const [id, count] of Object.entries(facets.container))
    if (!facets.partial.container.includes(id))
      expect(count, `facet ${id}`).toBe(containers.filter(({ pod }) => containerId(pod) === id).length);
}
