import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../../domain/container.ts';
import { LEVELS } from '../../../domain/filter.ts';
import type { LogRecord } from '../../../domain/record.ts';
import { SHAPE } from '../../../domain/records/line-shape.ts';
import { levelOfRecord, summarize } from '../../../domain/records/record-summary.ts';
import { MAX_WORDED_UNITS, variantsOf, wordingOf } from '../../../domain/structured/wording.ts';
import type { ShownLine } from '../../../domain/verdicts/log-proof.ts';
import { type GroupedLine, LineGroups } from './line-groups.ts';

/** Kinds of records that are distinguished in one container. */
export const MAX_KINDS = 1_000;
/** After so many wordings that differ in one word, that word is a value. */
export const MAX_OF_VARIANT = 8;
const MAX_VARIANTS = 4 * MAX_KINDS;
/** Bytes of a line, and characters of a detail, that are kept. */
const MAX_KEPT = 2_048;
const ERROR = LEVELS.indexOf('error');

/** How a range of time is divided to see where errors begin. */
export interface Buckets {
  readonly from: Timestamp;
  /** Seconds. */
  readonly width: number;
  readonly count: number;
}

/** Records of one kind: the same words, whatever the values. */
export interface KindOfRecord {
  readonly first: ShownLine;
  /** Of the first, as an index of LEVELS (LEVELS.length: none). */
  readonly level: number;
  /** Stands for many wordings that differ in a word. */
  readonly isFolded: boolean;
  count: number;
}

/** What is kept of the log of one container: constant memory for each kind of record and each bucket. */
export class LogDigest {
  readonly target: ContainerTarget;
  /** By wording; of what is folded, by the variant. */
  readonly kinds = new Map<string, KindOfRecord>();
  /** Records of the level error or fatal, by bucket. */
  readonly errors: number[];
  /** The first of them in each bucket. */
  readonly firstErrors: (ShownLine | undefined)[];
  lastError: Timestamp | undefined;
  /** All of the range was read. */
  isComplete = true;
  /** Another kind came when there were too many. */
  isFull = false;
  /** The first lines: when a log begins, and how dense it is. */
  readonly beginning: Timestamp[] = [];
  /** The last line. */
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

  /** Of a wording that is new. */
  #keyOf(wording: string): string {
    const variants = variantsOf(wording);
    const folded = variants.find((variant) => (this.#variants.get(variant) ?? 0) >= MAX_OF_VARIANT);
    if (folded !== undefined) return foldedKey(folded);
    if (this.kinds.size < MAX_KINDS && this.#variants.size < MAX_VARIANTS)
      for (const variant of variants) this.#variants.set(variant, (this.#variants.get(variant) ?? 0) + 1);
    return wording;
  }
}

/** Lines by which the density of a log is judged. */
export const MAX_BEGINNING = 50;

/** Under what wordings of a variant are counted once there are too many. */
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

/** A copy: the bytes of a line are a part of all that came with it. */
function shown({ record, ordinal }: GroupedLine, detail: string | undefined): ShownLine {
  const message = record.message.slice(0, MAX_KEPT);
  const cutBytes = record.message.length - message.length;
  return { record: { ...record, message }, cutBytes, detail, ordinal };
}
