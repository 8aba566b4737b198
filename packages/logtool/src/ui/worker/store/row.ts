import { LEVELS } from '../../../domain/filter.ts';
import { plainText } from '../../ansi/plain-text.ts';
import type { EntryId, Row, RowEqual, RowRecord } from '../protocol/protocol.ts';
import { ENTRY_FLAGS, KIND, VERDICT } from './entry-table.ts';
import type { HeldLog } from './held-log.ts';
import { linkOf } from './link.ts';

export type FindHits = (text: string) => readonly (readonly [number, number])[];

const NO_HITS: readonly (readonly [number, number])[] = [];
/** The flag bits that the page uses: RECORD_FLAGS. */
const WIRE_FLAGS = 31;

/** Makes an entry ready to draw. */
export function makeRow(
  { store, groups, view }: Pick<HeldLog, 'store' | 'groups' | 'view'>,
  entry: EntryId,
  index: number,
  hitsIn: FindHits | undefined,
): Row {
  const { table } = store;
  const { seconds, nanos } = store.time(entry);
  const kind = table.kind(entry);
  if (kind === KIND.missing) {
    const range = store.missing.get(entry);
    return { kind: 'missing', entry, index, lines: range?.lines, state: range?.state ?? 'idle' };
  }
  if (kind === KIND.fact) return factRow(store, entry, index);
  if (kind === KIND.marker) {
    const marker = store.markers.get(entry);
    if (marker === undefined) throw new Error(`marker ${entry} is gone`);
    const { span: _, about: __, ...shown } = marker;
    return { kind: 'marker', entry, index, seconds, nanos, ...shown };
  }
  const text = store.text(entry);
  const flags = table.flags(entry);
  const lines = groups.linesOf(groups.headOf(entry) ?? entry);
  const isHead = lines[0] === entry;
  const isFound = view.hitOf(lines) !== undefined;
  return {
    kind: 'line',
    entry,
    index,
    seconds,
    nanos,
    source: table.source(entry),
    level: LEVELS[isHead ? groups.levelOf(lines) : table.level(entry)],
    text,
    flags: flags & WIRE_FLAGS,
    isJson: (flags & ENTRY_FLAGS.json) !== 0,
    // A line with only some of the words is not a hit.
    hits: isFound && table.verdict('searched', entry) === VERDICT.hit ? (hitsIn?.(text) ?? NO_HITS) : NO_HITS,
    link: linkOf(store, entry),
    record:
      lines.length === 1
        ? undefined
        : recordOf({ store, groups }, entry, lines, isFound && hitsIn !== undefined),
    equal: equalOf({ store, groups, view }, entry),
  };
}

function factRow(store: HeldLog['store'], entry: EntryId, index: number): Row {
  const known = store.facts.get(entry);
  if (known === undefined) throw new Error(`fact ${entry} is gone`);
  const { fact, restart, revision } = known;
  const { seconds, nanos } = fact.until ?? fact.at;
  const source = store.sources.ofSubject(fact.subject).at(-1);
  return { kind: 'fact', entry, index, seconds, nanos, source, fact, restart, revision };
}

function equalOf(
  { store, groups, view }: Pick<HeldLog, 'store' | 'groups' | 'view'>,
  entry: EntryId,
): RowEqual | undefined {
  const lines = view.equalTo(entry);
  if (lines === undefined) return undefined;
  const [first, last] = [lines[0]!, lines.at(-1)!];
  const [from, to] = [store.time(first), store.time(last)];
  return {
    first,
    line: entry === first ? 'head' : entry === last ? 'last' : 'middle',
    isFolded: !groups.isUnfolded(first),
    lines: lines.length,
    ms: (to.seconds - from.seconds) * 1_000 + (to.nanos - from.nanos) / 1e6,
  };
}

/** Cuts a longer line, cause or frame: no screen is wider. */
const MAX_TEXT = 300;

function recordOf(
  { store, groups }: Pick<HeldLog, 'store' | 'groups'>,
  entry: EntryId,
  lines: readonly EntryId[],
  isFound: boolean,
): RowRecord {
  const head = lines[0]!;
  const { isJson, message, frames, cause, ownFrame, members } = groups.summaryOf(lines);
  const shown = (index: number) => plainText(store.text(lines[index]!)).trim().slice(0, MAX_TEXT);
  const textAt = (index: number | undefined) => (index === undefined ? undefined : shown(index));
  const isOfCause = (index: number) => cause !== undefined && index > cause;
  const isFolded = !groups.isUnfolded(head);
  const hits =
    isFolded && isFound
      ? lines.filter((id) => id !== head && store.table.verdict('searched', id) === VERDICT.hit)
      : [];
  return {
    head,
    level: LEVELS[groups.levelOf(lines)],
    line: entry === head ? 'head' : entry === lines.at(-1) ? 'last' : 'middle',
    isFolded,
    isJson,
    lines: lines.length,
    frames,
    message: message.filter((index) => !isOfCause(index)).map(shown),
    cause: textAt(cause),
    causeMessage: message.filter(isOfCause).map(shown),
    ownFrame: textAt(ownFrame),
    members: members.length === 0 ? undefined : members.map(textAt).join(' ').replace(/,$/, ''),
    foldedHits: hits.length,
  };
}
