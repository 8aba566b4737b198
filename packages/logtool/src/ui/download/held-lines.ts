import type { Anchor, EntryId, Row } from '../worker/protocol/protocol.ts';
import type { LogWorker } from '../worker/session/log-worker-client.ts';
import type { Line } from './line-format.ts';

const PAGE_ROWS = 5_000;
/** Up to this many lines are requested one by one; for more, all rows of the view are read. */
const MAX_SINGLE_REQUESTS = 50;

type Asks = Pick<LogWorker, 'ask'>;

/** Requests rows of single lines, including folded records. */
function rowsFrom(worker: Asks, anchor: Anchor, below: number) {
  return worker.ask({ type: 'rows', anchor, above: 0, below, isUnfolded: true });
}

/**
 * Yields the lines of the filtered view, oldest first, up to the newest one at the start. Requests page by
 * page after the last line: changes meanwhile shift indexes, not these anchors.
 */
export async function* viewLines(worker: Asks): AsyncGenerator<readonly Line[], void, undefined> {
  const last = await rowsFrom(worker, { at: 'end' }, 1);
  const end = last.rows.at(-1)?.entry;
  if (end === undefined) return;
  let answer = await rowsFrom(worker, { at: 'start' }, PAGE_ROWS);
  let previous: EntryId | undefined;
  for (;;) {
    const from = previous === undefined ? 0 : answer.rows.findIndex(({ entry }) => entry === previous) + 1;
    const rows = answer.rows.slice(from);
    const stop = rows.findIndex(({ entry }) => entry === end);
    yield (stop === -1 ? rows : rows.slice(0, stop + 1)).filter(isLine);
    const next = rows.at(-1)?.entry;
    if (stop !== -1 || next === undefined) return;
    previous = next;
    answer = await rowsFrom(worker, { at: 'entry', entry: next }, PAGE_ROWS + 1);
  }
}

/** Yields the selected lines that are still loaded and shown, oldest first. */
export async function* selectedLines(
  worker: Asks,
  selected: ReadonlySet<EntryId>,
): AsyncGenerator<readonly Line[], void, undefined> {
  const { entries } = await worker.ask({ type: 'whole', entries: [...selected] });
  const whole = new Set(entries);
  if (whole.size > MAX_SINGLE_REQUESTS) {
    for await (const lines of viewLines(worker)) yield lines.filter(({ entry }) => whole.has(entry));
    return;
  }
  const answers = await Promise.all(entries.map((entry) => rowsFrom(worker, { at: 'entry', entry }, 1)));
  yield answers
    .flatMap(({ rows }) => rows)
    .filter(isLine)
    .filter(
      (line, index, all) => whole.has(line.entry) && all.findIndex((l) => l.entry === line.entry) === index,
    )
    .sort((a, b) => a.index - b.index);
}

function isLine(row: Row): row is Line {
  return row.kind === 'line';
}
