import { formatTimestamp, parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type Fact, positionOf } from '../../../domain/facts/fact.ts';
import type { EntryId } from '../protocol/protocol.ts';
import { KIND } from './entry-table.ts';
import type { LineStore } from './line-store.ts';

/** The name of a line: its time, its ordinal among lines of that time and run, and the run (`id/run`). */
export interface LineName {
  readonly at: Timestamp;
  readonly ordinal: number;
  readonly order: string;
}

/** `2026-11-21T10:00:00.123456789Z~0~uid/web/containerd://abc`. */
export function formatLink({ at, ordinal, order }: LineName): string {
  return `${formatTimestamp(at)}~${ordinal}~${order}`;
}

/** Returns the name of a held line. */
export function linkOf(store: LineStore, id: EntryId): string {
  const source = store.table.source(id);
  const order = store.sources.order(source);
  let ordinal = 0;
  for (const other of store.order.back(store.locate(id))) {
    if (store.compareTo(other, store.table.seconds(id), store.table.nanos(id), source) !== 0) break;
    if (store.table.kind(other) === KIND.line) ordinal++;
  }
  return formatLink({ at: store.time(id), ordinal, order });
}

/** Undefined: not the name of a line. */
export function parseLink(link: string): LineName | undefined {
  const match = /^([^~]+)~(\d{1,9})~(.+)$/s.exec(link);
  const at = parseTimestamp(match?.[1] ?? '');
  if (match === null || at === undefined) return undefined;
  return { at, ordinal: Number(match[2]), order: match[3] ?? '' };
}

/** Separates the time and the id of a fact, where the link of a line has a number. */
const FACT = '~event~';

/** Returns the name of a fact: `2026-11-21T10:00:00.999999999Z~event~ID`. */
export function factLinkOf(fact: Fact): string {
  return `${formatTimestamp(positionOf(fact))}${FACT}${fact.id}`;
}

/** Returns the id of the fact that a link names. Undefined: it names none. */
export function factIdOf(link: string): string | undefined {
  const at = link.indexOf(FACT);
  return at === -1 || parseTimestamp(link.slice(0, at)) === undefined
    ? undefined
    : link.slice(at + FACT.length);
}

/** Finds the held line with a name. Finds a run that was unknown when the link was made by its container. */
export function findLine(store: LineStore, name: LineName): EntryId | undefined {
  const container = containerOf(name.order);
  const exact: EntryId[] = [];
  const near: EntryId[] = [];
  for (const id of store.order.from(store.positionOf(name.at))) {
    if (store.table.seconds(id) !== name.at.seconds || store.table.nanos(id) !== name.at.nanos) break;
    if (store.table.kind(id) !== KIND.line) continue;
    const { wire } = store.sources.get(store.table.source(id));
    if (wire.order === name.order) exact.push(id);
    else if (wire.id === container) near.push(id);
  }
  return exact[name.ordinal] ?? near[name.ordinal];
}

/** `pod UID/container` of `pod UID/container/run`. */
function containerOf(order: string): string {
  return order.split('/').slice(0, 2).join('/');
}
