import type { FilterPlan, RecordMatcher } from '../../domain/filter.ts';
import { detectLevel } from '../../domain/level.ts';
import type { LogRecord } from '../../domain/record.ts';
import { type CompiledSet, compileSet, passes, plainBytes } from './compiled-set.ts';
import { isSureOfCut } from './cut-line.ts';
import { MAX_QUICK_BYTES } from './find-text.ts';
import { COMPILING_BYTES, MAX_PIECE_WORK, MAX_TURN_WORK } from './match-limits.ts';
import type { PatternSet, PatternText } from './match-messages.ts';
import { takeTurn } from './match-turns.ts';
import { literalOf, needleOf, type Pattern } from './pattern.ts';
import { checkQuerySize, holdSize, sizeOfTexts } from './pattern-limits.ts';
import { placesWith } from './places-with.ts';
import type { MatchUse, ThreadMatch } from './thread-match.ts';

/** What colors begin with: they may part what is looked for. */
const ESCAPE = Buffer.from([0x1b]);

const NO_PATTERNS: CompiledSet = { include: undefined, excludes: [] };

interface Matcher {
  readonly matches: RecordMatcher;
  /** The pattern of `grep`, where it is compiled on the main thread. */
  readonly include: Pattern | undefined;
  /** Those of the records given to `prepare` last that may match, where it looked; for other records undefined. */
  readonly possible: (records: readonly LogRecord[]) => readonly LogRecord[] | undefined;
}

/** See compileFilter. */
export async function createMatcher(
  plan: FilterPlan,
  use: MatchUse,
  onCut: ((record: LogRecord, bytes: number) => void) | undefined,
): Promise<Matcher> {
  const { grep, ignoreCase } = plan;
  const size = checkQuerySize(grep === undefined ? plan.exclude : [grep, ...plan.exclude], ignoreCase);
  const isMain = holdSize(use.person, size, use.signal);
  if (size > 0 && isMain) await takeTurn(size * COMPILING_BYTES);
  const include = grep === undefined ? undefined : { text: grep, ignoreCase, flag: '--grep' };
  const excludes = plan.exclude.map((text) => ({ text, ignoreCase, flag: '--exclude' }));
  const expressions: PatternSet = {
    include: include !== undefined && isExpression(include) ? include : undefined,
    excludes: excludes.filter(isExpression),
  };
  const texts: PatternSet = {
    include: expressions.include === undefined ? include : undefined,
    excludes: excludes.filter((pattern) => !isExpression(pattern)),
  };
  const literals = await compileSet(texts);
  const textSize = sizeOfTexts(texts);
  const here = isMain ? await compileSet(expressions) : undefined;
  const levels = new Set(plan.levels);

  const testHere = ({ message }: LogRecord, set: CompiledSet): boolean => {
    const plain = plainBytes(message);
    if (!passes(set, plain)) return false;
    if (levels.size === 0) return true;
    const level = detectLevel(plain);
    return level !== undefined && levels.has(level);
  };
  const expressionsHere = here ?? NO_PATTERNS;
  const all: CompiledSet = {
    include: literals.include ?? expressionsHere.include,
    excludes: [...literals.excludes, ...expressionsHere.excludes],
  };
  const compiled = { include: all.include };
  if (size === 0 && textSize === 0)
    return { ...compiled, possible: () => undefined, matches: (record) => testHere(record, literals) };

  let thread: Promise<ThreadMatch> | undefined;
  const openThread = async () => {
    const { ThreadMatch } = await import('./thread-match.ts');
    const opened = new ThreadMatch(expressions, size, use);
    await opened.compile();
    return opened;
  };
  if (!isMain) {
    thread = openThread();
    await thread;
  }
  const needle =
    compiled.include?.needle ?? (expressions.include && needleOf(expressions.include.text, ignoreCase));

  /** What is known of records that are not matched when they are asked for. */
  const known = new WeakMap<LogRecord, boolean>();
  let knowsAny = !isMain;
  let searched:
    | { readonly records: readonly LogRecord[]; readonly possible: readonly LogRecord[] }
    | undefined;
  const matches = (record: LogRecord): boolean => {
    const passed = knowsAny ? known.get(record) : undefined;
    if (passed !== undefined) return passed;
    if (knowsAny && !mayHold(record, needle)) return false;
    if (!isMain) throw new Error('a record is matched that was not prepared');
    return testHere(record, all);
  };

  const turn = (work: number) => takeTurn(work)?.then(() => use.signal?.throwIfAborted());
  /** Text by text: a long line may take a turn for each. */
  const passesTexts = async (record: LogRecord): Promise<boolean> => {
    const plain = plainBytes(record.message);
    const work = plain.length * (MAX_QUICK_BYTES / 8);
    if (literals.include !== undefined) {
      await turn(work);
      if (!literals.include.test(plain)) return false;
    }
    for (const exclude of literals.excludes) {
      await turn(work);
      if (exclude.test(plain)) return false;
    }
    return true;
  };

  /** What is tested here of a record whose texts are done, or whose expressions are tested in a thread. */
  const setFor = (isSlow: boolean, isFar: boolean): CompiledSet => {
    if (isSlow) return isFar ? NO_PATTERNS : expressionsHere;
    return isFar ? literals : all;
  };
  const prepareAll = async (records: readonly LogRecord[]): Promise<void> => {
    const far: LogRecord[] = [];
    for (const record of records) {
      if (known.has(record)) continue;
      const { length } = record.message;
      const isFar = !isMain || length * size > MAX_PIECE_WORK;
      const isSlow = length * textSize > MAX_TURN_WORK;
      const waiting = turn(length * (textSize + (isFar ? 0 : size)));
      if (waiting !== undefined) await waiting;
      const passed = (!isSlow || (await passesTexts(record))) && testHere(record, setFor(isSlow, isFar));
      if (isFar && passed) far.push(record);
      else known.set(record, passed);
    }
    if (far.length === 0) return;
    thread ??= openThread();
    const { maxBytes } = await thread;
    const passed = await (await thread).test(far.map(({ message }) => message));
    for (const [index, record] of far.entries()) {
      const hasPassed = passed[index] === true;
      if (record.message.length > maxBytes && !isSureOfCut(expressions, record.message, maxBytes, hasPassed))
        onCut?.(record, maxBytes);
      known.set(record, hasPassed);
    }
  };
  const prepare = (records: readonly LogRecord[]): Promise<void> | undefined => {
    searched = undefined;
    const bytes = bytesOf(records);
    if (isMain && bytes * (size + textSize) <= MAX_PIECE_WORK) return takeTurn(bytes * (size + textSize));
    knowsAny = true;
    const possible =
      needle === undefined ? records : placesWith([needle, ESCAPE], records).map((place) => records[place]!);
    searched = { records, possible };
    const work = bytesOf(possible) * (size + textSize);
    return !isMain || work > MAX_PIECE_WORK ? prepareAll(possible) : takeTurn(bytes + work);
  };
  const possible = (records: readonly LogRecord[]) =>
    searched?.records === records ? searched.possible : undefined;
  return { ...compiled, possible, matches: Object.assign(matches, { prepare }) };
}

function bytesOf(records: readonly LogRecord[]): number {
  let bytes = 0;
  for (const { message } of records) bytes += message.length;
  return bytes;
}

function isExpression({ text, ignoreCase }: PatternText): boolean {
  return ignoreCase || literalOf(text) === undefined;
}

/** Colors may part it. */
function mayHold({ message }: LogRecord, needle: Buffer | undefined): boolean {
  if (needle === undefined) return true;
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  return bytes.includes(needle) || bytes.includes(ESCAPE);
}
