import type { Why } from '@logtool/kube/src/values/problems.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../../domain/container.ts';
import { LEVELS } from '../../../domain/filter.ts';
import type { GapCause } from '../../../domain/frame.ts';
import type { LogRecord } from '../../../domain/record.ts';
import { SHAPE } from '../../../domain/records/line-shape.ts';
import { levelOfRecord, summarize } from '../../../domain/records/record-summary.ts';
import { MAX_WORDED_UNITS, variantsOf, wordingOf } from '../../../domain/structured/wording.ts';
import type { ShownLine } from '../../../domain/verdicts/log-proof.ts';
import { type GroupedLine, LineGroups } from './line-groups.ts';

/** Maximum kinds of records to distinguish in one container. */
export const MAX_KINDS = 1_000;
/** After this many wordings that differ in one word, that word counts as a value. */
export const MAX_OF_VARIANT = 8;
const MAX_VARIANTS = 4 * MAX_KINDS;
/** Maximum bytes of a line, and characters of a detail, to keep. */
const MAX_KEPT = 2_048;
const ERROR = LEVELS.indexOf('error');

/** How a time range is divided to find where errors begin. */
export interface Buckets {
  readonly from: Timestamp;
  /** In seconds. */
  readonly width: number;
  readonly count: number;
}

/** Records of one kind: the same words with different values. */
export interface KindOfRecord {
  readonly first: ShownLine;
  /** The level of the first, as an index of LEVELS (LEVELS.length: none). */
  readonly level: number;
  /** Whether it represents many wordings that differ in a word. */
  readonly isFolded: boolean;
  count: number;
}

/** A time in which lines of a log may be missing. */
export interface LogGap {
  readonly why: GapCause['code'];
  /** What the node or the server answered. */
  readonly answer?: Why | undefined;
  readonly from: Timestamp | undefined;
  readonly to: Timestamp | undefined;
  /** Whether a line was read before the gap was reported. */
  readonly isAfterLine: boolean;
}

/** What is kept of the log of one container: constant memory for each kind of record and each bucket. */
export class LogDigest {
  readonly target: ContainerTarget;
  /** By wording; folded kinds by the variant. */
  readonly kinds = new Map<string, KindOfRecord>();
  /** Number of records with level error or fatal, by bucket. */
  readonly errors: number[];
  /** The first of them in each bucket. */
  readonly firstErrors: (ShownLine | undefined)[];
  lastError: Timestamp | undefined;
  /** Whether the whole range was read. */
  isComplete = true;
  /** Gaps before the last line; one may be reported before the lines that precede it. */
  readonly gaps: LogGap[] = [];
  /** Whether further kinds exceeded the limit. */
  isFull = false;
  /** The times of the first lines: they show when a log begins, and how dense it is. */
  readonly beginning: Timestamp[] = [];
  /** The time of the last line. */
  last: Timestamp | undefined;
  bytes = 0;
  readonly #buckets: Buckets;
  readonly #variants = new Map<string, number>();
  readonly #groups = new LineGroups((lines) => this.#take(lines));

  constructor(target: ContainerTarget, buckets: Buckets) {
    this.target = target;
    this.#buckets = buckets;
    this.errors = Array.from({ length: buckets.count }, () => 0);
    this.firstErrors = Array.from({ length: buckets.count }, () => undefined);
  }

  /** The beginning of the read range. */
  get from(): Timestamp {
    return this.#buckets.from;
  }

  /** Takes the next line of the container. */
  add(record: LogRecord): void {
    this.bytes += record.message.length;
    this.last = record.at;
    if (this.beginning.length < MAX_BEGINNING) this.beginning.push(record.at);
    this.#groups.take(record);
  }

  /** No further line comes. */
  finish(): void {
    this.#groups.settle();
  }

  #take(lines: readonly GroupedLine[]): void {
    const [head] = lines;
    if (head === undefined) return;
    const isJson = lines.length > 1 && head.shape === SHAPE.jsonOpen;
    const level = levelOfLines(lines, isJson);
    const detail = detailOf(lines, isJson);
    if (level <= ERROR) this.#takeError(head, detail);
    const text = isJson ? joined(lines) : head.text;
    const wording =
      detail === undefined || isJson ? wordingOf(text) : `${wordingOf(text)} / ${wordingOf(detail)}`;
    this.#count(wording, level, () => shown(head, detail));
  }

  #takeError(head: GroupedLine, detail: string | undefined): void {
    const { at } = head.record;
    const { from, width, count } = this.#buckets;
    const bucket = Math.min(count - 1, Math.max(0, Math.floor((at.seconds - from.seconds) / width)));
    this.errors[bucket] = (this.errors[bucket] ?? 0) + 1;
    this.firstErrors[bucket] ??= shown(head, detail);
    this.lastError = at;
  }

  #count(wording: string, level: number, show: () => ShownLine): void {
    const key = this.kinds.has(wording) ? wording : this.#keyOf(wording);
    const known = this.kinds.get(key);
    if (known !== undefined) known.count++;
    else if (this.kinds.size >= MAX_KINDS) this.isFull = true;
    else this.kinds.set(key, { first: show(), level, isFolded: key !== wording, count: 1 });
  }

  /** Returns the key of a new wording. */
  #keyOf(wording: string): string {
    const variants = variantsOf(wording);
    const folded = variants.find((variant) => (this.#variants.get(variant) ?? 0) >= MAX_OF_VARIANT);
    if (folded !== undefined) return foldedKey(folded);
    if (this.kinds.size < MAX_KINDS && this.#variants.size < MAX_VARIANTS)
      for (const variant of variants) this.#variants.set(variant, (this.#variants.get(variant) ?? 0) + 1);
    return wording;
  }
}

/** Number of lines that determine the density of a log. */
export const MAX_BEGINNING = 50;

/** Returns the key that counts wordings of a variant once there are too many. */
export function foldedKey(variant: string): string {
  return `\n${variant}`;
}

export function isFoldedKey(key: string): boolean {
  return key.startsWith('\n');
}

function levelOfLines(lines: readonly GroupedLine[], isJson: boolean): number {
  const [head, ...rest] = lines;
  if (rest.length === 0) return head?.level ?? LEVELS.length;
  return levelOfRecord(
    lines.map(({ level }) => level),
    isJson,
  );
}

function detailOf(lines: readonly GroupedLine[], isJson: boolean): string | undefined {
  if (lines.length === 1) return undefined;
  if (isJson) return joined(lines).slice(0, MAX_KEPT);
  const { cause } = summarize(lines.map(({ text }) => text));
  return (lines[cause ?? 1] ?? lines[1])?.text.slice(0, MAX_KEPT);
}

function joined(lines: readonly GroupedLine[]): string {
  let text = '';
  for (const line of lines) {
    text += `${line.text.trim()} `;
    if (text.length > MAX_WORDED_UNITS) break;
  }
  return text;
}

/** Copies, because the line's bytes are part of a whole chunk. */
function shown({ record, ordinal }: GroupedLine, detail: string | undefined): ShownLine {
  const message = record.message.slice(0, MAX_KEPT);
  const cutBytes = record.message.length - message.length;
  return { record: { ...record, message }, cutBytes, detail, ordinal };
}
