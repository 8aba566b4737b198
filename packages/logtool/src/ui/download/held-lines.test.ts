import { expect, test } from 'vitest';
import type { Row } from '../worker/protocol/protocol.ts';
import type { LogWorker } from '../worker/session/log-worker-client.ts';
import { selectedLines, viewLines } from './held-lines.ts';
import { makeFile } from './save-file.ts';

/** Makes a view whose rows may change between requests. */
function fakeView(count: number, onAsk: (rows: Row[]) => void = () => undefined) {
  const rows: Row[] = Array.from({ length: count }, (_, index) => lineOf(index + 1));
  const ask = async (message: Parameters<LogWorker['ask']>[0]) => {
    // No rows are folded.
    if (message.type === 'whole') return { type: 'range', request: 1, entries: message.entries };
    if (message.type !== 'rows') throw new Error(message.type);
    const { anchor, above, below } = message;
    const at =
      anchor.at === 'end'
        ? rows.length - 1
        : anchor.at === 'entry'
          ? rows.findIndex(({ entry }) => entry === anchor.entry)
          : 0;
    const first = Math.max(0, at - above);
    const shown = rows.slice(first, at + below).map((row, index) => ({ ...row, index: first + index }));
    onAsk(rows);
    return { type: 'rows', request: 1, version: 1, total: rows.length, rows: shown, anchorIndex: at };
  };
  return { ask } as unknown as LogWorker;
}

function lineOf(entry: number): Row {
  return {
    kind: 'line',
    entry,
    index: 0,
    seconds: entry,
    nanos: 0,
    source: 0,
    level: undefined,
    text: `line ${entry}`,
    flags: 0,
    isJson: false,
    hits: [],
    link: '',
  };
}

async function entriesOf(pages: AsyncIterable<readonly { readonly entry: number }[]>): Promise<number[]> {
  const entries: number[] = [];
  for await (const page of pages) entries.push(...page.map(({ entry }) => entry));
  return entries;
}
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test.each([0, 1, 5_000, 5_001, 12_345])('all %i lines of a view, each once, in order', async (count) => {
  expect(await entriesOf(viewLines(fakeView(count)))).toEqual(upTo(count));
});

test('lines that come while it is read are not part of it, and it ends', async () => {
  let next = 12_000;
  const worker = fakeView(12_000, (rows) => rows.push(...upTo(6_000).map(() => lineOf(++next))));
  expect(await entriesOf(viewLines(worker))).toEqual(upTo(12_000));
});

test.each([[[3, 1]], [upTo(60)]])('the selected lines in time order', async (selected) => {
  const worker = fakeView(100);
  expect(await entriesOf(selectedLines(worker, new Set(selected)))).toEqual(
    [...selected].sort((a, b) => a - b),
  );
});

test('a selected line that is held no more is not replaced by another one', async () => {
  expect(await entriesOf(selectedLines(fakeView(10), new Set([4, 99])))).toEqual([4]);
});

test('the reported number of lines is that of the file', async () => {
  const { file, lines } = await makeFile({
    worker: fakeView(7_000),
    kind: 'text',
    selected: undefined,
    sources: () => [],
  });
  expect((await file.text()).split('\n')).toHaveLength(lines + 1);
  expect(lines).toBe(7_000);
});
