import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { Refusal } from '../review/access-reviews.ts';
import { compareContainerLogs } from '../runs/container-log.ts';
import type { GatherRuns } from '../runs/gather-runs.ts';
import type { RunList } from '../runs/run-list.ts';
import { containerLogNotFound, missingNodesWarning } from '../status/list-status.ts';
import type { Status } from '../status/status.ts';
import type { Document } from './documents.ts';
import { type Asked, listDocument, objectDocument, readListQuery } from './list-query.ts';
import { watchLogs } from './watch-logs.ts';

/** The runs of all nodes, and how far they are known. */
export interface Runs {
  readonly list: RunList;
  readonly gathered: Pick<GatherRuns, 'settled' | 'missingNodes'>;
}

export interface AskedList extends Asked {
  /** Undefined: all of them. */
  readonly name: string | undefined;
}

export type ListAnswer =
  | { readonly status: Status }
  | { readonly document: Document }
  /** `watch`: opens the events; `refused` resolves with why the caller may not watch any more. */
  | { readonly watch: (refused: Promise<Refusal>) => AsyncIterable<Uint8Array> };

/**
 * Lists, shows or watches runs for a caller who may. A list names in a warning the nodes that it does not know, or not
 * as they are now. Rejects with the signal's reason.
 */
export async function openContainerLogs(
  asked: AskedList,
  { list, gathered }: Runs,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<ListAnswer> {
  const query = readListQuery(asked);
  if ('status' in query) return query;
  await gathered.settled(signal);
  if (query.isWatch && asked.name === undefined) {
    return { watch: (refused) => watchLogs(query, { list, clock, signal, refused }) };
  }
  const logs = list.all().filter(query.selects).sort(compareContainerLogs);
  const nowMs = clock.now();
  if (asked.name !== undefined) {
    const log = logs.find(({ metadata }) => metadata.name === asked.name);
    if (log === undefined) return { status: containerLogNotFound(asked.name) };
    return { document: { json: objectDocument(log, query.form, { nowMs }) } };
  }
  const missing = gathered.missingNodes();
  const headers = missing.length === 0 ? {} : { warning: missingNodesWarning(missing) };
  return { document: { json: listDocument(logs, list.version, query.form, nowMs), headers } };
}
