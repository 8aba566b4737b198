import { compareTimestamps, type Timestamp, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { LEVELS } from '@logtool/logtool/src/domain/filter.ts';
import { emptinessOf } from '@logtool/logtool/src/ui/console/state/emptiness.ts';
import { countGoneRuns, standingOf } from '@logtool/logtool/src/ui/console/state/standing.ts';
import { makeZoneClock } from '@logtool/logtool/src/ui/console/state/zone-time.ts';
import { isExact, readableText } from '@logtool/logtool/src/ui/messages/coverage.ts';
import { emptyText } from '@logtool/logtool/src/ui/messages/empty-log.ts';
import { beginningText } from '@logtool/logtool/src/ui/messages/standing.ts';
import type {
  BufferStatus,
  FacetCounts,
  Histogram,
  MissingRecords,
  Row,
  ScanStatus,
} from '@logtool/logtool/src/ui/worker/protocol/protocol.ts';
import { expect } from 'vitest';
import type { Loss } from './disk.ts';
import { heldTest } from './find-claims.ts';
import type { WrittenRecord } from './written-records.ts';
import { containerId, type LineRow, type WrittenWorld } from './written-world.ts';

/*
 * Compares the statements of a page at rest with the written records. A statement may lack records that nobody can read
 * any more only if it names them.
 */

/** The page at rest. */
interface Page {
  readonly world: WrittenWorld;
  readonly status: BufferStatus;
  readonly rows: readonly Row[];
  /** Whether a record has a row. */
  readonly isHeld: (record: WrittenRecord) => boolean;
}

const UTC = makeZoneClock('utc');

/** Records of containers that can be read. */
const readable = (world: WrittenWorld, lines: readonly WrittenRecord[]) =>
  lines.filter(({ pod }) => !world.isRefused(pod));

/** Records of containers that have answered; the page names the other containers. */
const answered = (world: WrittenWorld, lines: readonly WrittenRecord[]) =>
  lines.filter(({ pod }) => world.hasAnswered(pod));

const msOf = ({ at }: Pick<WrittenRecord, 'at'>) => timestampToMs(at);

/** A follow that fails is tried again after at most 30 s, by chance earlier; only then does the page know of it. */
const NOTICE_MS = 35_000;

export async function checkClaims(world: WrittenWorld): Promise<void> {
  const untilMs = world.clock.steady() + NOTICE_MS;
  while (isFollowingInVain(world) && world.clock.steady() < untilMs) await world.pass(1_000);
  const { status } = world;
  if (status === undefined) throw new Error('no status came');
  const rows = await world.rows();
  const page = { world, status, rows, isHeld: heldTest(world, rows) };
  checkRows(page);
  checkStanding(page);
  checkBeginning(page);
  checkSearched(page);
  checkOrdinal(page);
  if (rows.length === 0) checkEmpty(page);
  if (status.scan !== undefined) checkScan(page, status.scan);
  const { histogram } = await world.ask({ type: 'histogram', buckets: 60 }, 'histogram');
  checkHistogram(page, histogram);
  checkOmissions(page, histogram);
  const facets = world.sent.findLast((message) => message.type === 'facets')?.facets;
  if (facets !== undefined) checkFacets(page, facets, status.scan);
}

/** Checks that the page says `Following` only while a line of each running container can arrive. */
function checkStanding({ world }: Page): void {
  expect(isFollowingInVain(world), 'following, although no line can arrive').toBe(false);
}

/** Whether the page says `Following` although no line of a running container can arrive. */
function isFollowingInVain(world: WrittenWorld): boolean {
  const { status, sources } = world;
  if (world.asked.to !== undefined || status === undefined) return false;
  const { kind } = standingOf({ status, sources } as Parameters<typeof standingOf>[0]);
  // What the filters leave out is not followed, whether it can be read or not.
  const isLost = podsOf(world).some(
    (pod) => world.isBroken(pod) && world.disk.isRunning(pod) && world.passesContainer(pod),
  );
  return isLost && kind === 'connected';
}

/** Records that nobody can read any more, and that the page does not show. */
function lostOf({ world, isHeld }: Page, lines: readonly WrittenRecord[]): readonly WrittenRecord[] {
  return lines.filter((line) => world.isLost(line) && !isHeld(line));
}

/**
 * Checks that records follow each other as written, and that every omission has a row that reports it. At
 * such a row a record may be cut: its loaded part is a row.
 */
function checkRows(page: Page): void {
  const { world, rows, status } = page;
  // The page says how many lines wait, but not where.
  if (status.pausedLines > 0) return;
  const truth = presentRecords(page);
  const at = new Map(truth.map((line, index) => [line.text, index]));
  const isIncomplete = incompleteTest(page);
  let last = -1;
  let isOpen = !status.atBeginning;
  /** Pods with a row since the last range that is not loaded. */
  let seen = new Set<number | undefined>();
  for (const row of rows) {
    if (isOmission(row)) {
      isOpen = true;
      seen = new Set();
    }
    if (row.kind !== 'line') continue;
    const { pod } = world.recordOf(row) ?? {};
    const isFirst = !(status.atBeginning && last === -1) && !seen.has(pod);
    if (isIncomplete(row, isFirst)) continue;
    seen.add(pod);
    // A container that has not answered may have parts that were read later; such a row proves nothing else.
    if (isUnanswered(world, row)) continue;
    last = nextIndex(row.text, at.get(row.text), last, isOpen);
    isOpen = false;
  }
  if (last !== -1 && !isOpen) checkNewest(page, last, truth.length);
}

function checkNewest({ status }: Page, last: number, count: number): void {
  const isWhole = status.atEnd && status.awayContainers === 0;
  if (isWhole) expect(last, 'the newest lines are left out').toBe(count - 1);
}

/** The records that the page must show where they are loaded. Of one whose pod was deleted, a part may be loaded. */
function presentRecords({ world, rows }: Page): readonly WrittenRecord[] {
  const texts = textsOf(rows);
  return answered(world, world.inRange()).filter(
    (line) => world.passes(line) && !world.isAway(line.pod) && (!world.isLost(line) || texts.has(line.text)),
  );
}

/** Returns the lines that have a row. */
function textsOf(rows: readonly Row[]): ReadonlySet<string> {
  return new Set(rows.flatMap((row) => (row.kind === 'line' ? row.text : [])));
}

/** Whether a row says that lines are left out there. */
function isOmission(row: Page['rows'][number]): boolean {
  return row.kind === 'missing' || (row.kind === 'marker' && row.marker === 'gap');
}

/** Checks that a row follows the last one, at once if lines may not be left out between them. Returns its index. */
function nextIndex(text: string, index: number | undefined, last: number, isOpen: boolean): number {
  expect(index, `${text} does not pass the filters`).toBeDefined();
  expect(index, `${text} is out of its place`).toBeGreaterThan(last);
  if (!isOpen) expect(index, `lines before ${text} are left out`).toBe(last + 1);
  return index ?? last;
}

/**
 * Tests whether a row is a part of a record that proves nothing about the rows around it: its other part is not loaded,
 * or nobody can load it any more.
 */
function incompleteTest(page: Page): (row: LineRow, isFirst: boolean) => boolean {
  const { world } = page;
  const isFragment = fragmentTest(world);
  const isTorn = tornTest(page);
  return (row, isFirst) => {
    if (isTorn(row)) return true;
    const record = isFragment(row) ? world.recordOf(row) : undefined;
    return record !== undefined && (isFirst || world.isLost(record));
  };
}

/**
 * Tests whether a row is the beginning of a record whose other lines are not loaded: they lie in the range after it, or
 * were not read before its pod was deleted.
 */
function tornTest({ world, rows, status }: Page): (row: LineRow) => boolean {
  const last = new Set<number>();
  /** Pods with a row before the next range that is not loaded; undefined: no such range follows. */
  let later = status.atEnd ? undefined : new Set<number>();
  for (const row of rows.toReversed()) {
    if (isOmission(row)) later = new Set();
    const pod = row.kind === 'line' ? world.recordOf(row)?.pod : undefined;
    if (pod === undefined || later === undefined || later.has(pod)) continue;
    later.add(pod);
    last.add(row.entry);
  }
  return (row) => {
    const own = world.recordOf(row);
    if (own === undefined || (row.record?.lines ?? 1) >= own.lines.length) return false;
    return last.has(row.entry) || world.disk.isDeleted(own.pod);
  };
}

/** Checks that the page says why records between its rows, which nobody can read any more, have no row. */
function checkOmissions(page: Page, { fromSeconds, bucketSeconds, gaps = [] }: Histogram): void {
  const { world, rows, status } = page;
  if (rows.some(({ kind }) => kind === 'missing')) return;
  const lines = rows.filter((row) => row.kind === 'line');
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) return;
  const isBetween = ({ at }: WrittenRecord) =>
    compareTimestamps(at, first) > 0 && compareTimestamps(at, last) < 0;
  const shown = answered(world, world.inRange()).filter((line) => world.passes(line));
  const hasGap = rows.some((row) => row.kind === 'marker' && row.marker === 'gap');
  const hasLeft = (pod: number) =>
    rows.some((row) => row.kind === 'marker' && row.marker === 'left' && row.text.includes(`web-${pod}/`));
  const isDrawn = ({ at }: WrittenRecord) => {
    const bucket = Math.floor((at.seconds - fromSeconds) / bucketSeconds);
    return gaps.some(({ first: begin, last: end }) => begin <= bucket && bucket <= end);
  };
  const { lost = 0, goneRuns = 0 } = status.scan?.missing ?? {};
  const begins = status.lostBeginnings + status.goneRuns + lost + goneRuns > 0;
  const isNamed = (line: WrittenRecord) => {
    const { pod, at } = line;
    if (isDrawn(line) || hasGap || hasLeft(pod) || (status.goneContainers > 0 && world.disk.isDeleted(pod)))
      return true;
    const own = lines.find((row) => world.recordOf(row)?.pod === pod);
    const isBefore = own === undefined || compareTimestamps(at, own) <= 0;
    return isBefore && (begins || countGoneRuns(world.sources) > 0);
  };
  const silent = lostOf(page, shown).filter((line) => isBetween(line) && !isNamed(line));
  expect(
    silent.map(({ text }) => text),
    'lost between rows',
  ).toEqual([]);
}

/** Whether a row is the rest of a record whose first lines are not loaded. */
function fragmentTest(world: WrittenWorld): (row: LineRow) => boolean {
  const heads = new Set(world.inRange().map(({ text }) => text));
  return (row) => !heads.has(row.text) && world.recordOf(row) !== undefined;
}

function isUnanswered(world: WrittenWorld, row: LineRow): boolean {
  const pod = world.recordOf(row)?.pod;
  return pod !== undefined && !world.isRefused(pod) && (!world.hasAnswered(pod) || world.isAway(pod));
}

/** Checks the text above the first line: what precedes that line was read, or the text says why it was not. */
function checkBeginning(page: Page): void {
  const { world, status } = page;
  if (!status.atBeginning || status.lines === 0 || world.asked.from !== undefined) return;
  const goneRuns = Math.max(status.goneRuns, countGoneRuns(world.sources));
  const text = beginningText({ ...status, goneRuns });
  const [first] = page.rows.filter((row) => row.kind === 'line');
  const isBefore = (line: WrittenRecord) => first !== undefined && compareTimestamps(line.at, first) < 0;
  const shown = answered(world, world.inRange()).filter((line) => world.passes(line));
  const lost = lostOf(page, shown).filter(isBefore);
  const isGoneNamed = /earlier runs? (is|are) gone/.test(text);
  const nameOf = (line: WrittenRecord) => {
    const losses = world.disk.lossesOf(line);
    return losses.length > 1 && !isGoneNamed ? 'rotated' : losses[0];
  };
  const of = (loss: Loss) => new Set(lost.filter((line) => nameOf(line) === loss).map(({ pod }) => pod));
  const deleted = Number(/(\d+) containers? that no longer/.exec(text)?.[1] ?? 0);
  expect(deleted, `${text}: deleted`).toBeGreaterThanOrEqual(of('deleted').size);
  // What a deleted container had before may be called rotated, or that of a deleted one.
  const isLeft = (pod: number) => !(deleted > 0 && world.disk.isDeleted(pod));
  const rotated = Number(/the logs? of (\d+) container/.exec(text)?.[1] ?? 0);
  /** A row of its own says that lines of the run may be missing. */
  const hasRow = (pod: number) =>
    page.rows.some(
      (row) => row.kind === 'marker' && row.marker === 'gap' && row.text.includes(`web-${pod}/`),
    );
  const unnamed = [...of('rotated')].filter((pod) => isLeft(pod) && !hasRow(pod));
  expect(rotated, `${text}: rotated`).toBeGreaterThanOrEqual(unnamed.length);
  if ([...of('gone')].some(isLeft)) expect(isGoneNamed, `${text}: earlier runs`).toBe(true);
}

/** Checks how far back the search found everything: `searched back to 11:30 · 0 hits`. */
function checkSearched(page: Page): void {
  const { world, status } = page;
  const { searchedBackTo, state, error } = status.search;
  if (searchedBackTo === undefined || state !== 'done' || error !== undefined) return;
  if ((status.hitScan ?? status.scan)?.hits !== undefined) return;
  const since = world
    .inRange()
    .filter((line) => line.at.seconds > searchedBackTo && world.passesFacets(line) && world.isHit(line));
  const unseen = since.filter((line) => !page.isHeld(line));
  const gaps = page.rows.some((row) => row.kind === 'marker' && row.marker === 'gap');
  const unnamed = unseen.filter((line) => !(gaps && world.isLost(line)));
  // The count says that it leaves out the lines that wait.
  expect(
    unnamed.slice(status.pausedLines).map(({ text }) => text),
    `hits since ${searchedBackTo}`,
  ).toEqual([]);
}

/** Checks the number of the last found hit among all hits: `3 of 41`. */
function checkOrdinal({ world, rows, status, isHeld }: Page): void {
  const { ordinal, state, error, hits, searchedBackTo = 0 } = status.search;
  const row = rows.find(({ kind, entry }) => kind === 'line' && entry === ordinal?.entry);
  if (ordinal === undefined || row?.kind !== 'line' || state !== 'done' || error !== undefined) return;
  const own = world.recordOf(row);
  const counted = (status.hitScan ?? status.scan)?.hits;
  const total = counted ?? hits;
  const found = world.inRange().filter((line) => world.passes(line) && world.isHit(line));
  const isSearched = (line: WrittenRecord) => isHeld(line) && line.at.seconds >= searchedBackTo;
  // Lines that were lost after the count may be in it. Without one, the number is that among the searched lines.
  const sets =
    counted === undefined
      ? [found.filter(isSearched)]
      : [
          found.filter((line) => !world.disk.isUnseen(line)),
          found.filter((line) => !world.isLost(line) || isHeld(line)),
          found.filter((line) => !world.isLost(line)),
        ];
  const counts = sets.map(
    (lines) =>
      `${lines.findIndex(({ number, text }) => number === own?.number && (world.grouping || text === row.text)) + 1} of ${lines.length}`,
  );
  expect(counts, `the number of ${row.text}`).toContain(`${ordinal.value} of ${total}`);
}

/** Checks the title shown in place of lines. */
function checkEmpty(page: Page): void {
  const { world, status } = page;
  const problems = world.sent.findLast((message) => message.type === 'problem')?.problems ?? [];
  const state = { status, sources: world.sources, problems, isAnswered: true };
  const url = { ctx: 'sim', src: ['default:pods/*'], only: world.asked.search.only };
  const emptiness = emptinessOf({ state, url } as unknown as Parameters<typeof emptinessOf>[0], undefined);
  if (emptiness.kind === 'no-context') throw new Error('the context is known');
  const { title } = emptyText(emptiness, UTC, world.clock.now());
  const written = world.inRange();
  const matches = written.filter((line) => world.passes(line));
  const canBeRead = (line: WrittenRecord) => !world.isLost(line) && !world.isRefused(line.pod);
  if (/^No lines (in this range|yet)/.test(title) && !title.includes('so far'))
    expect(written.length, `${title}, but written`).toBe(0);
  if (
    title.startsWith('No lines in the readable part of this range') ||
    title === 'No lines in this range so far'
  )
    expect(written.filter(canBeRead).length, title).toBe(0);
  if (title === 'No lines match the filters') expect(matches.length, title).toBe(0);
  if (title === 'No line in the readable part of the logs matches the filters')
    expect(matches.filter(canBeRead).length, title).toBe(0);
}

/** How many records a statement may count: all but the lost ones that it names must be in it. */
interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** The records that a count covers. */
interface Scope {
  readonly lines: readonly WrittenRecord[];
  /** Whether the statement says that it lacks a record. */
  readonly isNamed: (line: WrittenRecord) => boolean;
}

function boundsOf(
  { world }: Page,
  { lines, isNamed }: Scope,
  passes: (line: WrittenRecord) => boolean,
): Bounds {
  const passing = lines.filter(passes);
  const least = passing.filter((line) => !(world.isLost(line) && isNamed(line))).length;
  return { least, most: passing.filter((line) => !world.disk.isUnseen(line)).length };
}

function isWithin(count: number, { least, most }: Bounds): boolean {
  return count >= least && count <= most;
}

function checkScan(page: Page, scan: ScanStatus): void {
  const { world } = page;
  const about = JSON.stringify(scan);
  const all = world.inRange();
  expect(scan.lines, `lines of ${about}`).toBeLessThanOrEqual(
    all.filter((line) => world.passes(line) && !world.disk.isUnseen(line)).length,
  );
  const scopes = scopesOf(page, scan);
  const isHit = (line: WrittenRecord) => world.passesFacets(line) && world.isHit(line);
  const states = scopes.map((scope) => ({
    lines: boundsOf(page, scope, (line) => world.passes(line)),
    hits: boundsOf(page, scope, isHit),
  }));
  const fits = states.some(
    (state) =>
      isWithin(scan.lines, state.lines) && (scan.hits === undefined || isWithin(scan.hits, state.hits)),
  );
  if (scopes.length > 0) expect(fits, `${about} is not one of ${JSON.stringify(states)}`).toBe(true);
  if (scan.errorsBegin !== undefined) checkOnset(page, scan, scan.errorsBegin);
}

/** Buckets before an onset that show that errors were rarer (MIN_BEFORE of domain/coverage/error-onset.ts). */
const BEFORE_ONSET = 8;

function checkOnset(
  page: Page,
  { bucketMs = 0, missing, lines, readToMs = Number.POSITIVE_INFINITY }: ScanStatus,
  at: Timestamp,
): void {
  const { world } = page;
  const shown = world.inRange().filter((line) => world.passes(line));
  const isError = ({ level }: WrittenRecord) =>
    level !== 'none' && LEVELS.indexOf(level) <= LEVELS.indexOf('error');
  const first = shown.find((line) => isError(line) && compareTimestamps(line.at, at) === 0);
  expect(first, 'errors begin where there is none').toBeDefined();
  const beforeMs = (Math.floor(timestampToMs(at) / bucketMs) - BEFORE_ONSET) * bucketMs;
  // Lines that were lost after the count are in it: all that a page could read, up to where it counted, if the count is
  // that of them.
  const countable = shown.filter((line) => !world.disk.isUnseen(line) && msOf(line) < readToMs);
  const isWhole = lines === countable.length;
  // Of a container that was deleted after the count, everything is in it.
  const isCounted = (line: WrittenRecord) =>
    (isWhole && !world.disk.isUnseen(line)) ||
    (world.disk.lossesOf(line).includes('deleted') && (missing?.gone ?? 0) === 0);
  const unread = lostOf(page, shown).filter(
    (line) => msOf(line) >= beforeMs && compareTimestamps(line.at, at) < 0 && !isCounted(line),
  );
  expect(
    unread.map(({ text }) => text),
    'errors begin beside what was not read',
  ).toEqual([]);
}

/** Returns what a count covers, as in `scopeText`: one scope for each choice of the containers that it lacks. */
function scopesOf(page: Page, scan: ScanStatus): readonly Scope[] {
  const { world } = page;
  const all = world.inRange();
  const { readToMs } = scan;
  const scopeOf = (lines: readonly WrittenRecord[]) =>
    namedLosses(page, scan.missing).map((isNamed) => ({ lines, isNamed }));
  if (isExact(scan)) return scopeOf(all);
  if (readToMs === undefined) return [];
  if (readToMs === Number.POSITIVE_INFINITY)
    return choicesOf(world, scan.incomplete).flatMap((left) =>
      scopeOf(all.filter(({ pod }) => !left.includes(pod))),
    );
  return scopeOf(readable(world, all).filter((line) => msOf(line) < readToMs));
}

/** All subsets of some pods. */
function subsetsOf(pods: readonly number[]): readonly (readonly number[])[] {
  return Array.from({ length: 2 ** pods.length }, (_, mask) =>
    pods.filter((_pod, index) => Math.floor(mask / 2 ** index) % 2 === 1),
  );
}

/** The containers that a count may lack: this many of those that cannot be read. */
function choicesOf(world: WrittenWorld, count: number): readonly (readonly number[])[] {
  const unread = podsOf(world).filter((pod) => world.isRefused(pod) || world.everStalled.has(pod));
  // Facets may hide containers that could not be read: nothing of them is counted, nor named.
  const isCounted = (pod: number) => world.passesContainer(pod);
  return subsetsOf(unread).filter((choice) => choice.filter(isCounted).length === count);
}

const podsOf = (world: WrittenWorld) => Array.from({ length: world.disk.pods }, (_, pod) => pod);

type IsNamed = Scope['isNamed'];

/** Tests whether a statement names a lost record, for each choice of the containers that it may mean. */
function namedLosses({ world, rows }: Page, missing: MissingRecords | undefined): readonly IsNamed[] {
  if (missing === undefined) return [() => false];
  const { lost, lostToMs, gaps, gapFromMs, gapToMs, gone, goneRuns, goneRunsToMs = Infinity } = missing;
  // The rest of a record whose first line is not loaded counts as lines of their own, which prove nothing of it.
  const heads = textsOf(rows);
  const isInGap = (line: WrittenRecord) => gaps > 0 && msOf(line) >= gapFromMs && msOf(line) <= gapToMs;
  const deleted = podsOf(world).filter((pod) => world.disk.isDeleted(pod));
  return subsetsOf(deleted)
    .filter(({ length }) => length <= gone)
    .flatMap((gonePods) =>
      subsetsOf(podsOf(world))
        .filter(({ length }) => length <= lost)
        .map(
          (begun): IsNamed =>
            (line) =>
              isInGap(line) ||
              (goneRuns > 0 && msOf(line) <= goneRunsToMs && world.disk.lossesOf(line).includes('gone')) ||
              (gonePods.includes(line.pod) && !heads.has(line.text)) ||
              (begun.includes(line.pod) && msOf(line) <= lostToMs),
        ),
    );
}

function checkHistogram(page: Page, histogram: Histogram): void {
  const { world, rows, status } = page;
  const { fromSeconds, bucketSeconds, others, unread, gaps = [] } = histogram;
  const all = world.inRange().filter((line) => world.passes(line));
  const seen = all.filter((line) => !world.disk.isUnseen(line));
  const least = answered(world, all).filter(
    ({ pod }) => status.scan === undefined || !world.everStalled.has(pod),
  );
  const isFragment = fragmentTest(world);
  const isTorn = tornTest(page);
  // Among loaded records, those that are cut count as their loaded part, which may pass where the whole does not. While a
  // new count begins, the chart is of loaded ones.
  const cut = rows.flatMap((row) =>
    row.kind === 'line' && (isFragment(row) || isTorn(row))
      ? [{ at: { seconds: row.seconds, nanos: row.nanos }, level: row.level ?? ('none' as const) }]
      : [],
  );
  for (let bucket = 0; bucket < others.length; bucket++) {
    const begin = (fromSeconds + bucket * bucketSeconds) * 1000;
    const end = begin + bucketSeconds * 1000;
    const drawn = [histogram.errors[bucket] ?? 0, histogram.warnings[bucket] ?? 0, others[bucket] ?? 0];
    const name = `bucket ${bucket} of ${others.length} from ${new Date(begin).toISOString()}`;
    for (const [index, count] of barOf([...seen, ...cut], begin, end).entries())
      expect(drawn[index], `${name} has too many`).toBeLessThanOrEqual(count);
    if (unread?.[bucket] === true) continue;
    const isGap = gaps.some(({ first, last }) => first <= bucket && bucket <= last);
    const must = isGap ? least.filter((line) => !world.isLost(line)) : least;
    for (const [index, count] of barOf(must, begin, end).entries())
      expect(drawn[index], `${name} has too few`).toBeGreaterThanOrEqual(count);
  }
}

/** Returns errors, warnings and other lines between two times in ms. */
function barOf(
  lines: readonly Pick<WrittenRecord, 'at' | 'level'>[],
  begin: number,
  end: number,
): readonly number[] {
  const inside = lines.filter((line) => msOf(line) >= begin && msOf(line) < end);
  const errors = inside.filter(({ level }) => level === 'error' || level === 'fatal').length;
  const warnings = inside.filter(({ level }) => level === 'warn').length;
  return [errors, warnings, inside.length - errors - warnings];
}

/** Counts of each value respect the other filters, in the range that was read. */
function checkFacets(page: Page, facets: FacetCounts, scan: ScanStatus | undefined): void {
  const { world } = page;
  const { facets: asked, search } = world.asked;
  const isShown = (line: WrittenRecord) => !search.only || search.text === '' || world.isHit(line);
  const passes = (name: 'level' | 'container', value: string) =>
    (asked.include[name]?.length ? asked.include[name].includes(value) : true) &&
    !asked.exclude[name]?.includes(value);
  const isOfLevel = (level: string) => (line: WrittenRecord) =>
    isShown(line) && passes('container', containerId(line.pod)) && line.level === level;
  const isOfContainer = (id: string) => (line: WrittenRecord) =>
    isShown(line) && passes('level', line.level) && containerId(line.pod) === id;
  const counts = [
    ...Object.entries(facets.level).map(([level, count]) => ({ name: level, count, is: isOfLevel(level) })),
    ...Object.entries(facets.container)
      .filter(([id]) => !facets.partial.container.includes(id))
      .map(([id, count]) => ({ name: id, count, is: isOfContainer(id) })),
  ];
  const problems = world.sent.findLast((message) => message.type === 'problem')?.problems ?? [];
  // Without a scan, the page names the loaded lines unless they are all.
  if (scan === undefined && !(page.status.isWhole && problems.length === 0)) return;
  const isPartial = readableText({}, page.status) !== undefined;
  const ofLoaded = [
    { lines: world.inRange(), isNamed: (line: WrittenRecord) => isPartial && world.isLost(line) },
  ];
  const scopes = scan === undefined ? ofLoaded : scopesOf(page, scan);
  const states = scopes.map((scope) => counts.map(({ is }) => boundsOf(page, scope, is)));
  const fits = states.some((state) => counts.every(({ count }, index) => isWithin(count, state[index]!)));
  if (scopes.length > 0)
    expect(fits, `facets ${JSON.stringify(counts)}, but written ${JSON.stringify(states)}`).toBe(true);
}
