import type { FilterPlan, LevelChoice, RecordMatcher } from '../../domain/filter.ts';
import { detectLevel } from '../../domain/level.ts';
import { type LogRecord, messageBytes } from '../../domain/record.ts';
import { type CompiledSet, compileSet, passes, plainBytes } from './compiled-set.ts';
import { MAX_QUICK_BYTES } from './find-text.ts';
import { COMPILING_BYTES, MAX_PIECE_WORK, MAX_TURN_WORK } from './match-limits.ts';
import type { PatternSet, PatternText } from './match-messages.ts';
import { takeTurn } from './match-turns.ts';
import { mayHold, recordsThatMayHold } from './matching-indexes.ts';
import { literalOf, needleOf, type Pattern } from './pattern.ts';
import { checkQuerySize, holdSize, sizeOfTexts } from './pattern-limits.ts';
import type { MatchUse, ThreadMatch } from './thread-match.ts';

const ESC = 0x1b;
const LAST_OF_COLOR = 0x6d;
/** What may match at the truncation but not in the whole line: ends and borders of words. */
const ANCHOR = /\$|\\[bBzZ]/;

const NO_PATTERNS: CompiledSet = { include: undefined, also: [], excludes: [] };

export interface Matcher {
  readonly matches: RecordMatcher;
  /** The pattern of `grep`, if it is compiled on the main thread. */
  readonly include: Pattern | undefined;
  /** Returns which of the records given to `prepare` last may match, if it searched; undefined for other records. */
  readonly possible: (records: readonly LogRecord[]) => readonly LogRecord[] | undefined;
}

/** See compileFilter. */
export async function createMatcher(
  plan: FilterPlan,
  use: MatchUse,
  onCut: OnCut | undefined,
): Promise<Matcher> {
  const { ignoreCase } = plan;
  const size = checkQuerySize(patternTexts(plan), ignoreCase);
  const isMain = holdSize(use.person, size, use.signal);
  if (size > 0 && isMain) await takeTurn(size * COMPILING_BYTES);
  const { texts, expressions } = patternsOf(plan);
  const literals = await compileSet(texts);
  const textSize = sizeOfTexts(texts);
  const here = isMain ? await compileSet(expressions) : NO_PATTERNS;
  const all: CompiledSet = {
    include: literals.include ?? here.include,
    also: [...literals.also, ...here.also],
    excludes: [...literals.excludes, ...here.excludes],
  };
  const { include } = all;
  const levels = new Set(plan.levels);
  if (size === 0 && textSize === 0)
    return { include, possible: () => undefined, matches: (record) => passesHere(record, literals, levels) };
  const needle = include?.needle ?? (expressions.include && needleOf(expressions.include.text, ignoreCase));
  const sets = { all, literals, expressionsHere: here, expressions };
  const prepared = new PreparedMatches({ sets, levels, size, textSize, isMain, needle }, use, onCut);
  if (!isMain) await prepared.openThread();
  const matches = Object.assign((record: LogRecord) => prepared.matches(record), {
    prepare: (records: readonly LogRecord[]) => prepared.prepare(records),
  });
  return { include, possible: (records) => prepared.possible(records), matches };
}

type OnCut = (record: LogRecord, bytes: number) => void;

/** Returns all patterns of a plan, as given. */
export function patternTexts({ grep, also = [], exclude }: FilterPlan): readonly string[] {
  return [...(grep === undefined ? [] : [grep]), ...also, ...exclude];
}

/** Returns the patterns of a plan: plain texts, and regular expressions. */
function patternsOf({ grep, also = [], exclude, ignoreCase }: FilterPlan): {
  readonly texts: PatternSet;
  readonly expressions: PatternSet;
} {
  const greps = [...(grep === undefined ? [] : [grep]), ...also].map((text) => ({
    text,
    ignoreCase,
    use: 'grep' as const,
  }));
  const [include, ...others] = greps;
  const excludes = exclude.map((text) => ({ text, ignoreCase, use: 'exclude' as const }));
  const isIncludeExpression = include !== undefined && isExpression(include);
  return {
    texts: {
      include: isIncludeExpression ? undefined : include,
      also: others.filter((pattern) => !isExpression(pattern)),
      excludes: excludes.filter((pattern) => !isExpression(pattern)),
    },
    expressions: {
      include: isIncludeExpression ? include : undefined,
      also: others.filter(isExpression),
      excludes: excludes.filter(isExpression),
    },
  };
}

/** Whether a record passes patterns that are tested on the main thread, and has one of the levels. */
function passesHere({ message }: LogRecord, set: CompiledSet, levels: ReadonlySet<LevelChoice>): boolean {
  const plain = plainBytes(message);
  if (!passes(set, plain)) return false;
  if (levels.size === 0) return true;
  return levels.has(detectLevel(plain) ?? 'none');
}

interface PreparedPlan {
  readonly sets: {
    /** Everything that is tested on the main thread. */
    readonly all: CompiledSet;
    readonly literals: CompiledSet;
    readonly expressionsHere: CompiledSet;
    /** Regular expressions, for a thread to compile. */
    readonly expressions: PatternSet;
  };
  readonly levels: ReadonlySet<LevelChoice>;
  /** Sizes of the regular expressions, and of the texts: work for each byte. */
  readonly size: number;
  readonly textSize: number;
  /** Whether regular expressions are tested on the main thread at all. */
  readonly isMain: boolean;
  /** Bytes that every match contains. */
  readonly needle: Buffer | undefined;
}

/**
 * Matches records in advance if that takes long: line by line on the main thread, with pauses for other work, or in a
 * thread.
 */
class PreparedMatches {
  readonly #plan: PreparedPlan;
  readonly #all: CompiledSet;
  readonly #levels: ReadonlySet<LevelChoice>;
  readonly #use: MatchUse;
  readonly #onCut: OnCut | undefined;
  /** Results for records that are not matched on demand. */
  readonly #known = new WeakMap<LogRecord, boolean>();
  #knowsAny: boolean;
  #thread: Promise<ThreadMatch> | undefined;
  #searched: { readonly records: readonly LogRecord[]; readonly possible: readonly LogRecord[] } | undefined;

  constructor(plan: PreparedPlan, use: MatchUse, onCut: OnCut | undefined) {
    this.#plan = plan;
    this.#all = plan.sets.all;
    this.#levels = plan.levels;
    this.#use = use;
    this.#onCut = onCut;
    this.#knowsAny = !plan.isMain;
  }

  openThread(): Promise<ThreadMatch> {
    this.#thread ??= this.#compileThread();
    return this.#thread;
  }

  async #compileThread(): Promise<ThreadMatch> {
    const { ThreadMatch } = await import('./thread-match.ts');
    const opened = new ThreadMatch(this.#plan.sets.expressions, this.#plan.size, this.#use);
    await opened.compile();
    return opened;
  }

  matches(record: LogRecord): boolean {
    // Most searches need only this, for each line of a log.
    if (!this.#knowsAny) return passesHere(record, this.#all, this.#levels);
    const passed = this.#known.get(record);
    if (passed !== undefined) return passed;
    const { needle } = this.#plan;
    if (needle !== undefined && !mayHold(record, needle)) return false;
    if (!this.#plan.isMain) throw new Error('a record is matched that was not prepared');
    return passesHere(record, this.#all, this.#levels);
  }

  /** See Matcher. */
  possible(records: readonly LogRecord[]): readonly LogRecord[] | undefined {
    return this.#searched?.records === records ? this.#searched.possible : undefined;
  }

  /** See Prepare. */
  prepare(records: readonly LogRecord[]): Promise<void> | undefined {
    this.#searched = undefined;
    const { size, textSize, isMain, needle } = this.#plan;
    const bytes = messageBytes(records);
    if (isMain && bytes * (size + textSize) <= MAX_PIECE_WORK) return takeTurn(bytes * (size + textSize));
    this.#knowsAny = true;
    const possible = needle === undefined ? records : recordsThatMayHold(needle, records);
    this.#searched = { records, possible };
    const work = messageBytes(possible) * (size + textSize);
    return !isMain || work > MAX_PIECE_WORK ? this.#prepareAll(possible) : takeTurn(bytes + work);
  }

  async #prepareAll(records: readonly LogRecord[]): Promise<void> {
    const far: LogRecord[] = [];
    for (const record of records) {
      if (this.#known.has(record)) continue;
      const isFar = !this.#plan.isMain || record.message.length * this.#plan.size > MAX_PIECE_WORK;
      const passed = await this.#testHere(record, isFar);
      if (isFar && passed) far.push(record);
      else this.#known.set(record, passed);
    }
    if (far.length > 0) await this.#testFar(far);
  }

  /** Runs the tests of the main thread. `isFar`: a thread tests the expressions. */
  async #testHere(record: LogRecord, isFar: boolean): Promise<boolean> {
    const { size, textSize, levels } = this.#plan;
    const { length } = record.message;
    const waiting = this.#takeTurn(length * (textSize + (isFar ? 0 : size)));
    if (waiting !== undefined) await waiting;
    const isSlow = length * textSize > MAX_TURN_WORK;
    if (isSlow && !(await this.#passesTexts(record))) return false;
    return passesHere(record, this.#setFor(isSlow, isFar), levels);
  }

  /** Returns what to test at once for a record whose texts are done, or whose expressions a thread tests. */
  #setFor(isSlow: boolean, isFar: boolean): CompiledSet {
    const { all, literals, expressionsHere } = this.#plan.sets;
    if (isSlow) return isFar ? NO_PATTERNS : expressionsHere;
    return isFar ? literals : all;
  }

  /** Tests text by text: a long line may take a turn for each. */
  async #passesTexts(record: LogRecord): Promise<boolean> {
    const { include, also, excludes } = this.#plan.sets.literals;
    const plain = plainBytes(record.message);
    const work = plain.length * (MAX_QUICK_BYTES / 8);
    for (const wanted of include === undefined ? also : [include, ...also]) {
      await this.#takeTurn(work);
      if (!wanted.test(plain)) return false;
    }
    for (const exclude of excludes) {
      await this.#takeTurn(work);
      if (exclude.test(plain)) return false;
    }
    return true;
  }

  #takeTurn(work: number): Promise<void> | undefined {
    return takeTurn(work)?.then(() => this.#use.signal?.throwIfAborted());
  }

  async #testFar(records: readonly LogRecord[]): Promise<void> {
    const thread = await this.openThread();
    const { maxBytes } = thread;
    const passed = await thread.test(records.map(({ message }) => message));
    for (const [index, record] of records.entries()) {
      const { message } = record;
      const hasPassed = passed[index] === true;
      const isCut = message.length > maxBytes;
      if (isCut && !isSureOfCut(this.#plan.sets.expressions, message, maxBytes, hasPassed))
        this.#onCut?.(record, maxBytes);
      this.#known.set(record, hasPassed);
    }
  }
}

function isExpression({ text, ignoreCase }: PatternText): boolean {
  return ignoreCase || literalOf(text) === undefined;
}

/**
 * Whether the whole line has the same answer as its first `bytes` bytes: what matches there matches the line too, so
 * one that passes without excludes certainly passes, and one that fails without include certainly fails.
 */
function isSureOfCut(
  { include, also, excludes }: PatternSet,
  message: Uint8Array,
  bytes: number,
  hasPassed: boolean,
): boolean {
  const wanted = include === undefined ? also : [include, ...also];
  if (hasPassed ? excludes.length > 0 : wanted.length > 0) return false;
  if ([...wanted, ...excludes].some(({ text }) => ANCHOR.test(text))) return false;
  // A truncated character or color leaves text that the line does not contain.
  const isCharacter = ((message[bytes] ?? 0) & 0xc0) !== 0x80;
  const color = message.lastIndexOf(ESC, bytes - 1);
  const end = color === -1 ? color : message.indexOf(LAST_OF_COLOR, color);
  return isCharacter && (color === -1 || (end !== -1 && end < bytes));
}
