import { timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { findNext } from '@logtool/logtool/src/ui/console/scroll/find-next.ts';
import type { Note } from '@logtool/logtool/src/ui/console/state/note.ts';
import type {
  EntryId,
  FromWorker,
  Row,
  UnreadRange,
} from '@logtool/logtool/src/ui/worker/protocol/protocol.ts';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { WrittenRecord } from './written-records.ts';
import type { LineRow, WrittenWorld } from './written-world.ts';

/* Checks where the page goes for the next or previous line of a kind, and its statement that there is none. */

const fraction = fc.nat(1_000).map((thousandths) => thousandths / 1_000);

/**
 * A search for a line from the rows in view: from a chosen one, or from where the reader scrolled or jumped. `beside-missing`:
 * from the row beside a range that is not loaded, across it.
 */
export interface FindStep {
  readonly do: 'find';
  /** The first row in view, as a fraction of all; 1: the view is at its end. */
  readonly at: number;
  readonly start: 'chosen' | 'in-view' | 'following' | 'beside-missing';
  readonly what: 'hit' | 'error' | 'warn';
  readonly isNext: boolean;
  /** Whether it then continues without the containers that could not be read. */
  readonly goesOn: boolean;
}

const what = fc.constantFrom('hit' as const, 'error' as const, 'warn' as const);

export const findAcross: fc.Arbitrary<FindStep> = fc.record({
  do: fc.constant('find' as const),
  at: fc.constant(0),
  start: fc.constant('beside-missing' as const),
  what,
  isNext: fc.boolean(),
  goesOn: fc.boolean(),
});

export const findStep: fc.Arbitrary<FindStep> = fc.record({
  do: fc.constant('find' as const),
  at: fc.oneof({ weight: 3, arbitrary: fraction }, { weight: 1, arbitrary: fc.constantFrom(0, 1) }),
  start: fc.constantFrom('chosen' as const, 'in-view' as const, 'following' as const),
  what,
  isNext: fc.boolean(),
  goesOn: fc.boolean(),
});

const VIEW_ROWS = 20;
/** Rows that the page has around those in view. */
const AROUND_ROWS = 30;
const levelsOf = (what: 'error' | 'warn') => (what === 'error' ? ['fatal', 'error'] : ['warn']);

type Found = Extract<FromWorker, { readonly type: 'found' }>;

/** Where a search begins: at a row, whose record it may find or not; undefined: at an end of all lines. */
interface Start {
  readonly row: LineRow | undefined;
  readonly isIncluded: boolean;
}

export async function find(world: WrittenWorld, step: FindStep): Promise<void> {
  const rows = await world.rows();
  const { status } = world;
  if (status === undefined || rows.length === 0) return;
  const isFollowing = step.start === 'following' && status.atEnd;
  const first = isFollowing ? rows.length : firstInView(rows, step);
  if (first === undefined) return;
  const top = Math.max(0, Math.min(rows.length - VIEW_ROWS, first));
  const inView = rows.slice(top, top + VIEW_ROWS);
  const around = rows.slice(Math.max(0, inView[0]!.index - AROUND_ROWS), inView.at(-1)!.index + AROUND_ROWS);
  const chosen = chosenOf(inView, step);
  const direction = step.isNext ? 'next' : 'previous';
  const start = startOf({ chosen, inView, isFollowing }, step);
  if (start === undefined || !isKnown(world, start)) return;
  const from = { active: chosen?.entry, found: undefined, isFollowing, status };
  const scroller = { rows: around, rowsInView: inView, total: rows.length };
  let leftOut: ReadonlySet<string> = new Set();
  for (const goesOn of step.goesOn ? [false, true] : [false]) {
    const answers: Found[] = [];
    const ask = async (question: { readonly type: string }) => {
      const answer = await world.ask(question as never, 'found');
      answers.push(answer);
      return answer;
    };
    const result = await findNext({ ask } as never, scroller as never, from, step.what, direction, goesOn);
    await world.settle();
    const present = await world.rows();
    const found = shownAt(world, present, result.entry);
    const held = { isHeld: heldTest(world, present), wasHeld: heldTest(world, rows) };
    check({ world, step, start, isFollowing, ...held, answers, leftOut }, result, found);
    const { unread } = answers.at(-1) ?? {};
    if (unread === undefined) return;
    leftOut = new Set(unread.containers);
  }
}

/**
 * Returns the text of the record that the row of an answer shows: the row of a record whose first line is not loaded
 * begins with another one. The kind of the row if it shows none; undefined: there is no such row.
 */
function shownAt(world: WrittenWorld, rows: readonly Row[], at: EntryId | undefined): string | undefined {
  const row = rows.find(({ entry }) => entry === at);
  if (row?.kind !== 'line') return row?.kind;
  const record = world.recordOf(row);
  const isCut =
    record !== undefined && !rows.some((each) => each.kind === 'line' && each.text === record.text);
  return isCut ? record.text : row.text;
}

/** Returns the index of the first row in view; undefined: everything is loaded, so no search leads across a range. */
function firstInView(rows: readonly Row[], { at, start }: FindStep): number | undefined {
  if (start !== 'beside-missing') return Math.floor(at * rows.length);
  const missing = rows.findIndex(({ kind }) => kind === 'missing');
  return missing === -1 ? undefined : missing - VIEW_ROWS / 2;
}

function chosenOf(inView: readonly Row[], { start, isNext }: FindStep): Row | undefined {
  if (start === 'chosen') return inView.find(({ kind }) => kind === 'line');
  if (start !== 'beside-missing') return undefined;
  const missing = inView.findIndex(({ kind }) => kind === 'missing');
  const isLine = ({ kind }: Row) => kind === 'line';
  return isNext ? inView.slice(0, missing).findLast(isLine) : inView.slice(missing + 1).find(isLine);
}

/** Returns where a search begins; undefined: at a row that is no line. */
function startOf(
  { chosen, inView, isFollowing }: { chosen: Row | undefined; inView: readonly Row[]; isFollowing: boolean },
  { what, isNext }: FindStep,
): Start | undefined {
  // The chosen hit was not found before: it is the first one.
  if (chosen?.kind === 'line') return { row: chosen, isIncluded: what === 'hit' };
  if (isFollowing && !isNext) return { row: undefined, isIncluded: true };
  const edge = isNext ? inView[0] : inView.at(-1);
  return edge?.kind === 'line' ? { row: edge, isIncluded: true } : undefined;
}

/** Tests whether a record has a row. */
export function heldTest(world: WrittenWorld, rows: readonly Row[]): (record: WrittenRecord) => boolean {
  // Without grouping, each line of a record is one of its own, with the same number.
  const identityOf = ({ number, text }: WrittenRecord) => (world.grouping ? number : text);
  const records = rows.flatMap((row) => (row.kind === 'line' ? (world.recordOf(row) ?? []) : []));
  const held = new Set(records.map(identityOf));
  return (record) => held.has(identityOf(record));
}

/** Whether the row at which a search begins is a whole record of a container that has answered. */
function isKnown(world: WrittenWorld, { row }: Start): boolean {
  if (row === undefined) return true;
  const own = world.inRange().find(({ text }) => text === row.text);
  // Of a record whose other lines are not loaded, the level is not known.
  const isWhole = own !== undefined && (row.record?.lines ?? 1) >= own.lines.length;
  return isWhole && world.hasAnswered(own.pod);
}

interface Case {
  readonly world: WrittenWorld;
  readonly step: FindStep;
  readonly start: Start;
  /** Whether the view stays at its end. */
  readonly isFollowing: boolean;
  /** Whether a record has a row. */
  readonly isHeld: (record: WrittenRecord) => boolean;
  /** Whether it had one before the search, during which a container may answer. */
  readonly wasHeld: (record: WrittenRecord) => boolean;
  /** To the questions of this search: the second one goes on above the view. */
  readonly answers: readonly Found[];
  /** Names of the containers that the search leaves out, because the one before could not read them. */
  readonly leftOut: ReadonlySet<string>;
}

function check(
  searched: Case,
  { entry, note }: Awaited<ReturnType<typeof findNext>>,
  found: string | undefined,
): void {
  const { world, step, start, isFollowing, answers, leftOut } = searched;
  const { what, isNext } = step;
  const isKind = kindTest(world, what);
  const all = world.inRange();
  const about = `${isNext ? 'next' : 'previous'} ${what} from ${start.row?.text ?? 'the end'} (${step.start})`;
  /** The records after (before) the start, the nearest first. */
  const inDirection = (down: boolean) => {
    const truth = down ? all : all.toReversed();
    const at = start.row === undefined ? -1 : truth.findIndex(({ text }) => text === start.row?.text);
    return start.row === undefined ? (down ? [] : truth) : truth.slice(start.isIncluded ? at : at + 1);
  };
  if (entry !== undefined) {
    const isDown = isNext && answers.length === 1;
    // What goes on above while following begins at the end: by then a container may have answered, below the rows in view.
    const isFromEnd = !isDown && isNext && isFollowing;
    const ways = [inDirection(isDown), ...(isFromEnd ? [all.toReversed()] : [])];
    const nearest = ways.flatMap((way) => nearestOf(searched, way.filter(isKind), note));
    expect(
      nearest.map((record) => record?.text),
      about,
    ).toContain(found);
    return;
  }
  if (note?.code === 'not-found') {
    const ways = note.where === undefined ? [true, false] : [note.where === 'down'];
    const left = ways.flatMap((down) => inDirection(down)).filter(isKind);
    expect(
      left.map(({ text }) => text),
      `it says that there is no ${about}`,
    ).toEqual([]);
  }
  if (note?.code === 'unread') {
    const isSought = ({ pod }: WrittenRecord) => !world.isRefused(pod) && !leftOut.has(`web-${pod}/main`);
    const ahead = inDirection(isNext).find(
      (record) => isKind(record) && !world.isLost(record) && isSought(record),
    );
    checkUnread(note.unread, ahead, isNext, about);
  }
}

/** Returns the records of a kind that may be the nearest one, of those in a direction. */
function nearestOf(
  { world, isHeld, wasHeld }: Case,
  way: readonly WrittenRecord[],
  note: Note | undefined,
): readonly (WrittenRecord | undefined)[] {
  const isReachable = (record: WrittenRecord) => !world.isLost(record) || isHeld(record);
  const ahead = way.filter((record) => !world.isRefused(record.pod));
  // A container that the page reports as unanswered may have answered this request; a lost line may be loaded.
  return [
    ahead.find(({ pod }) => world.hasAnswered(pod)),
    ahead.find(isReachable),
    ahead.find((record) => world.hasAnswered(record.pod) && isReachable(record)),
    ahead[0],
    // Of the containers that the answer names, only loaded lines are compared.
    ...(note?.code === 'found-without'
      ? [isHeld, wasHeld].map((isKnownRow) =>
          ahead.find((record) => isKnownRow(record) || !note.containers.includes(`web-${record.pod}/main`)),
        )
      : []),
  ];
}

function kindTest(world: WrittenWorld, what: FindStep['what']): (record: WrittenRecord) => boolean {
  return (record) =>
    world.passes(record) && (what === 'hit' ? world.isHit(record) : levelsOf(what).includes(record.level));
}

/**
 * Checks that the search leapt over nothing before the range that the answer calls unread. If the container that is
 * unread there has none, the nearest record lies beyond the range.
 */
function checkUnread(
  { containers, fromMs = Number.NEGATIVE_INFINITY, toMs = Number.POSITIVE_INFINITY }: UnreadRange,
  nearest: WrittenRecord | undefined,
  isNext: boolean,
  about: string,
): void {
  expect(containers, `${about}: names of containers that are unread`).toEqual([...new Set(containers)]);
  if (nearest === undefined) return;
  const atMs = timestampToMs(nearest.at);
  const isAhead = isNext ? atMs >= fromMs : atMs <= toMs;
  expect(isAhead, `${about}: ${nearest.text} is before what is called unread`).toBe(true);
}
