import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogQuery } from '../../../contract/log-query.ts';
import type { LogSource } from '../../../contract/log-source.ts';
import { nextTime } from '../../../domain/coverage/interval.ts';
import { inclusive } from '../known/missing.ts';
import type { PinnedLine } from '../protocol/protocol.ts';
import { viewQuery } from '../protocol/view-query.ts';
import type { HeldLog } from '../store/held-log.ts';
import { findLine, type LineName, parseLink } from '../store/link.ts';
import type { LoaderOptions } from './gap-loader.ts';
import { type Page, PageError, readPage } from './page-reader.ts';

/** Returns the lines of links, in the order of the links: from the held lines, or else from the logs, by time. */
export async function readPinned(
  log: HeldLog,
  links: readonly string[],
  loader: LoaderOptions,
): Promise<readonly PinnedLine[]> {
  const lines: PinnedLine[] = [];
  for (const link of links) lines.push(await readOne(log, link, loader));
  return lines;
}

async function readOne(log: HeldLog, link: string, loader: LoaderOptions): Promise<PinnedLine> {
  const name = parseLink(link);
  if (name === undefined) return { link, state: 'gone' };
  const held = findLine(log.store, name);
  if (held !== undefined) {
    const { wire } = log.store.sources.get(log.store.table.source(held));
    return lineOf(link, wire, log.store.text(held));
  }
  try {
    const page = await readAt(name, loader);
    return findIn(page, link, name) ?? { link, state: isWhole(page) ? 'gone' : 'unread' };
  } catch (error) {
    if (error instanceof PageError) return { link, state: 'unread' };
    throw error;
  }
}

/** Reads all lines at one time, in every container. */
function readAt({ at }: LineName, { api, plan, signal, clock, nextQuery }: LoaderOptions): Promise<Page> {
  const query: LogQuery = {
    id: nextQuery(),
    ...viewQuery(plan),
    selection: { kind: 'all' },
    from: inclusive(at),
    to: { kind: 'strict', at: formatTimestamp(nextTime(at)) },
  };
  return readPage(api, plan.context, query, { signal, clock });
}

/** Like `findLine`, but finds a run that was unknown when the link was made by its container. */
function findIn({ sources, records }: Page, link: string, name: LineName): PinnedLine | undefined {
  const byIndex = new Map(sources.map((source) => [source.index, source]));
  const exact: PinnedLine[] = [];
  const near: PinnedLine[] = [];
  for (const [index, seconds, nanos, text] of records) {
    const source = byIndex.get(index);
    if (source === undefined || seconds !== name.at.seconds || nanos !== name.at.nanos) continue;
    if (source.order === name.order) exact.push(lineOf(link, source, text));
    else if (name.order.startsWith(`${source.id}/`)) near.push(lineOf(link, source, text));
  }
  return exact[name.ordinal] ?? near[name.ordinal];
}

function lineOf(link: string, { namespace, pod, container }: LogSource, text: string): PinnedLine {
  return { link, state: 'read', namespace, pod, container, text };
}

/** Whether every container was read: only then a line that was not found no longer exists. */
function isWhole({ reports }: Page): boolean {
  return reports.every((report) => {
    if (report.type === 'notice') return report.code !== 'source-failed';
    return report.type === 'state' && !('error' in report);
  });
}
