import { LEVELS } from '../../../domain/filter.ts';
import type { EntryId, Row } from '../session/protocol.ts';
import { ENTRY_FLAGS, KIND } from './entry-table.ts';
import type { LineStore } from './line-store.ts';
import { linkOf } from './link.ts';

export type FindHits = (text: string) => readonly (readonly [number, number])[];

const NO_HITS: readonly (readonly [number, number])[] = [];
/** Bits that mean something to the page: RECORD_FLAGS. */
const WIRE_FLAGS = 31;

/** An entry ready to draw. */
export function makeRow(store: LineStore, entry: EntryId, index: number, hitsIn: FindHits | undefined): Row {
  const { table } = store;
  const { seconds, nanos } = store.time(entry);
  const kind = table.kind(entry);
  if (kind === KIND.missing) {
    const range = store.missing.get(entry);
    return { kind: 'missing', entry, index, lines: range?.lines, state: range?.state ?? 'idle' };
  }
  if (kind === KIND.marker) {
    const marker = store.markers.get(entry);
    if (marker === undefined) throw new Error(`marker ${entry} is gone`);
    return { kind: 'marker', entry, index, seconds, nanos, ...marker };
  }
  const text = store.text(entry);
  const flags = table.flags(entry);
  return {
    kind: 'line',
    entry,
    index,
    seconds,
    nanos,
    source: table.source(entry),
    level: LEVELS[table.level(entry)],
    text,
    flags: flags & WIRE_FLAGS,
    isJson: (flags & ENTRY_FLAGS.json) !== 0,
    hits: hitsIn === undefined ? NO_HITS : hitsIn(text),
    link: linkOf(store, entry),
  };
}
