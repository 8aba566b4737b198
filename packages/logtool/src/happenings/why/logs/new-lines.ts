import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { LEVELS } from '../../../domain/filter.ts';
import { compareRecords, type LogRecord } from '../../../domain/record.ts';
import { variantsOf } from '../../../domain/structured/wording.ts';
import type { NewLine, ShownLine } from '../../../domain/verdicts/log-proof.ts';
import { firstKnown, LEAD_SECONDS } from './lead.ts';
import { beginningOf } from './log-beginning.ts';
import { foldedKey, isFoldedKey, type LogDigest } from './log-digest.ts';

/** Maximum new lines to show. */
export const MAX_NEW = 5;
/** Minimum range read before anything can count as new: in seconds, or this share of a shorter range. */
const MIN_BASELINE_SECONDS = 300;
const MIN_BASELINE_SHARE = 0.25;
/** While a run starts, it writes lines of its own. */
const START_SECONDS = 60;

const WARN = LEVELS.indexOf('warn');
const DEBUG = LEVELS.indexOf('debug');

/** Kinds of records over all containers, with the first record and the number of each. */
export interface AllKinds {
  readonly kinds: readonly SeenKind[];
  /** Keys that are folded in some container. */
  readonly folded: ReadonlySet<string>;
  /** When something can be new in each log, in seconds: some time after the beginning of what was read. */
  readonly baselines: ReadonlyMap<LogDigest, number>;
}

interface SeenKind {
  readonly wording: string;
  readonly first: ShownLine;
  readonly level: number;
  readonly count: number;
  readonly isAtStart: boolean;
  /** Enough of its container was read before it to call it new. */
  readonly hasBaseline: boolean;
}

/** Collects the kinds of records of all containers, each with its first record. */
export function allKinds(digests: readonly LogDigest[], from: Timestamp, to: Timestamp): AllKinds {
  const folded = new Set(digests.flatMap(({ kinds }) => [...kinds.keys()].filter(isFoldedKey)));
  const baselines = baselinesOf(digests, from, to);
  const found = new Map<string, SeenKind>();
  for (const [digest, baseline] of baselines) {
    for (const [wording, { first, level, count, isFolded }] of digest.kinds) {
      if (isFolded) continue;
      const { at } = first.record;
      const known = found.get(wording);
      const isEarlier = known === undefined || compareRecords(first.record, known.first.record) < 0;
      const own = { wording, first, level, isAtStart: isAtStart(digest, first.record, from) };
      const hasBaseline = at.seconds >= baseline && (known?.hasBaseline ?? true);
      const sum = (known?.count ?? 0) + count;
      found.set(wording, { ...(isEarlier ? own : known), count: sum, hasBaseline });
    }
  }
  return { kinds: [...found.values()], folded, baselines };
}

function baselinesOf(digests: readonly LogDigest[], from: Timestamp, to: Timestamp) {
  const begin = Math.min(...digests.map((digest) => beginningOf(digest, from).seconds), to.seconds);
  const length = Math.min(MIN_BASELINE_SECONDS, (to.seconds - begin) * MIN_BASELINE_SHARE);
  return new Map(
    digests.map((digest) => {
      const { seconds, isCut } = beginningOf(digest, from);
      return [digest, (firstKnown(digest) ?? (isCut ? seconds : begin)) + length] as const;
    }),
  );
}

/** Whether the current run began in the range, shortly before the record. */
function isAtStart({ target: { state } }: LogDigest, { at, run }: LogRecord, from: Timestamp): boolean {
  if (state.kind !== 'running' || state.startedAt === undefined) return false;
  const { containerId, startedAt } = state;
  if (run.key.containerId !== containerId || startedAt.seconds < from.seconds) return false;
  return at.seconds - startedAt.seconds <= START_SECONDS;
}

/**
 * Returns what was first written shortly before an error: records whose wording was not read before in any of
 * the containers, nor more than eight wordings that differ from it in one word. Sorts by level (warnings or
 * worse first), then what a run writes at its start after the others, then rare before frequent (in powers of
 * ten), near before far (in powers of two), and at the same distance the earlier first, because it may have
 * caused the later. A new line proves nothing else.
 */
export function newLinesBefore({ kinds, folded }: AllKinds, error: LogRecord): readonly NewLine[] {
  return kinds
    .filter(
      ({ first: { record }, hasBaseline }) =>
        hasBaseline &&
        compareRecords(record, error) < 0 &&
        error.at.seconds - record.at.seconds <= LEAD_SECONDS,
    )
    .filter(({ wording }) => !variantsOf(wording).some((variant) => folded.has(foldedKey(variant))))
    .sort((a, b) => byRank(a, b, error))
    .map(({ first, count, isAtStart }) => ({ ...first, count, isAtStart }));
}

function byRank(a: SeenKind, b: SeenKind, error: LogRecord): number {
  return (
    levelRank(a) - levelRank(b) ||
    Number(a.isAtStart) - Number(b.isAtStart) ||
    rarity(a) - rarity(b) ||
    farness(a, error) - farness(b, error) ||
    compareRecords(a.first.record, b.first.record)
  );
}

/** Ranks warnings and worse first, then information and lines without a level, then debugging levels. */
function levelRank({ level }: SeenKind): number {
  if (level <= WARN) return 0;
  return level >= DEBUG && level < LEVELS.length ? 2 : 1;
}

function rarity({ count }: SeenKind): number {
  return Math.floor(Math.log10(count));
}

function farness({ first: { record } }: SeenKind, { at }: LogRecord): number {
  return Math.floor(Math.log2(1 + Math.max(0, at.seconds - record.at.seconds)));
}
