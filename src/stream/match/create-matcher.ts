import { stripSgr } from '../../domain/ansi.ts';
import type { FilterPlan, RecordMatcher } from '../../domain/filter.ts';
import { detectLevel } from '../../domain/level.ts';
import type { LogRecord } from '../../domain/record.ts';
import { COMPILING_BYTES, MAX_PIECE_WORK } from './match-limits.ts';
import type { PatternSet, PatternText } from './match-messages.ts';
import { takeTurn } from './match-turns.ts';
import { compilePattern, literalOf, type Pattern } from './pattern.ts';
import { checkQuerySize, holdSize } from './pattern-limits.ts';
import { requiredText } from './required-text.ts';
import type { MatchUse, ThreadMatch } from './thread-match.ts';

const ESC = 0x1b;

/** Compiled patterns, tested one after the other. */
interface Patterns {
  readonly include: Pattern | undefined;
  readonly excludes: readonly Pattern[];
}

interface Matcher {
  readonly matches: RecordMatcher;
  /** The pattern of `grep`, where it is compiled on the main thread. */
  readonly include: Pattern | undefined;
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
  const literals = await compileAll({
    include: expressions.include === undefined ? include : undefined,
    excludes: excludes.filter((pattern) => !isExpression(pattern)),
  });
  const here = isMain ? await compileAll(expressions) : undefined;
  const levels = new Set(plan.levels);

  const testHere = ({ message }: LogRecord, expressionsToo: Patterns | undefined): boolean => {
    const plain = stripSgr(message);
    const bytes = Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength);
    if (!passes(literals, bytes)) return false;
    if (expressionsToo !== undefined && !passes(expressionsToo, bytes)) return false;
    if (levels.size === 0) return true;
    const level = detectLevel(plain);
    return level !== undefined && levels.has(level);
  };
  const compiled = { include: literals.include ?? here?.include };
  if (size === 0) return { ...compiled, matches: (record) => testHere(record, undefined) };

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
  const needle = isMain ? undefined : needleOf(expressions.include);

  /** What is known of records that are not matched when they are asked for. */
  const known = new WeakMap<LogRecord, boolean>();
  let knowsAny = !isMain;
  const matches = (record: LogRecord): boolean => {
    const passed = knowsAny ? known.get(record) : undefined;
    if (passed !== undefined) return passed;
    if (!isMain) throw new Error('a record is matched that was not prepared');
    return testHere(record, here);
  };

  const prepareAll = async (records: readonly LogRecord[]): Promise<void> => {
    knowsAny = true;
    const far: LogRecord[] = [];
    for (const record of records) {
      if (known.has(record)) continue;
      const work = record.message.length * size;
      if (!isMain || work > MAX_PIECE_WORK) {
        if (mayHold(record, needle) && testHere(record, undefined)) far.push(record);
        else known.set(record, false);
      } else {
        const turn = takeTurn(work);
        if (turn !== undefined) {
          await turn;
          use.signal?.throwIfAborted();
        }
        known.set(record, testHere(record, here));
      }
    }
    if (far.length === 0) return;
    thread ??= openThread();
    const { maxBytes } = await thread;
    const passed = await (await thread).test(far.map(({ message }) => message));
    for (const [index, record] of far.entries()) {
      if (record.message.length > maxBytes) onCut?.(record, maxBytes);
      known.set(record, passed[index] === true);
    }
  };
  const prepare = (records: readonly LogRecord[]): Promise<void> | undefined => {
    let bytes = 0;
    for (const { message } of records) bytes += message.length;
    return !isMain || bytes * size > MAX_PIECE_WORK ? prepareAll(records) : takeTurn(bytes * size);
  };
  return { ...compiled, matches: Object.assign(matches, { prepare }) };
}

function isExpression({ text, ignoreCase }: PatternText): boolean {
  return ignoreCase || literalOf(text) === undefined;
}

async function compileAll({ include, excludes }: PatternSet): Promise<Patterns> {
  const compile = ({ text, ignoreCase, flag }: PatternText) => compilePattern(text, ignoreCase, flag);
  return {
    include: include && (await compile(include)),
    excludes: await Promise.all(excludes.map(compile)),
  };
}

function passes({ include, excludes }: Patterns, message: Buffer): boolean {
  if (include !== undefined && !include.test(message)) return false;
  return !excludes.some((exclude) => exclude.test(message));
}

/** What all messages hold that match: mostly it shows at once that a message need not be matched at all. */
function needleOf(include: PatternText | undefined): Buffer | undefined {
  const text = include === undefined || include.ignoreCase ? undefined : requiredText(include.text);
  return text === undefined ? undefined : Buffer.from(text, 'utf8');
}

/** Colors may part it. */
function mayHold({ message }: LogRecord, needle: Buffer | undefined): boolean {
  if (needle === undefined) return true;
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  return bytes.includes(needle) || bytes.includes(ESC);
}
