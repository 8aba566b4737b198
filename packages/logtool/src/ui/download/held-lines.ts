import type { LogWorker } from '../worker/session/log-worker-client.ts';
import type { EntryId, Row } from '../worker/session/protocol.ts';
import type { Line } from './line-format.ts';

const PAGE_ROWS = 5_000;
/** So few lines are asked for one by one; of more the whole view is gone through. */
const MAX_SINGLE_REQUESTS = 50;

type Asks = Pick<LogWorker, 'ask'>;

/**
 * The lines of the filtered view, oldest first, up to the newest one at the start. Requests lines page by
 * page after the last one: changes meanwhile move indexes, not these.
 */
export async function* viewLines(worker: Asks): AsyncGenerator<readonly Line[], void, undefined> {
  const last = await worker.ask({ type: 'rows', anchor: { at: 'end' }, above: 0, below: 1 });
  const end = last.rows.at(-1)?.entry;
  if (end === undefined) return;
  let answer = await worker.ask({ type: 'rows', anchor: { at: 'start' }, above: 0, below: PAGE_ROWS });
  let previous: EntryId | undefined;
  for (;;) {
    const from = previous === undefined ? 0 : answer.rows.findIndex(({ entry }) => entry === previous) + 1;
    const rows = answer.rows.slice(from);
    const stop = rows.findIndex(({ entry }) => entry === end);
    yield (stop === -1 ? rows : rows.slice(0, stop + 1)).filter(isLine);
    const next = rows.at(-1)?.entry;
    if (stop !== -1 || next === undefined) return;
    previous = next;
    answer = await worker.ask({
      type: 'rows',
      anchor: { at: 'entry', entry: next },
      above: 0,
      below: PAGE_ROWS + 1,
    });
  }
}

/** The selected lines that are still held and shown, oldest first. */
export async function* selectedLines(
  worker: Asks,
  selected: ReadonlySet<EntryId>,
): AsyncGenerator<readonly Line[], void, undefined> {
  if (selected.size > MAX_SINGLE_REQUESTS) {
    for await (const lines of viewLines(worker)) yield lines.filter(({ entry }) => selected.has(entry));
    return;
  }
  const answers = await Promise.all(
    [...selected].map((entry) =>
      worker.ask({ type: 'rows', anchor: { at: 'entry', entry }, above: 0, below: 1 }),
    ),
  );
  yield answers
    .flatMap(({ rows }) => rows)
    .filter(isLine)
    .filter(
      (line, index, all) =>
        selected.has(line.entry) && all.findIndex((l) => l.entry === line.entry) === index,
    )
    .sort((a, b) => a.index - b.index);
}

function isLine(row: Row): row is Line {
  return row.kind === 'line';
}
