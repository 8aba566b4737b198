import { expect, test } from 'vitest';
import { Terminal, terminalPieces } from './terminal.ts';

/** Two streams to one screen; `takes` returns how many bytes of a piece it accepts. */
function screen(takes: (piece: Uint8Array) => number = (piece) => piece.length) {
  const ending = new AbortController();
  const terminal = new Terminal(ending.signal);
  const shown = { text: '', cuts: 0, errors: [] as string[] };
  let waiting: (() => void) | undefined;
  const writePiece = async (piece: Uint8Array) => {
    await new Promise<void>((resolve) => {
      waiting = resolve;
    });
    const taken = takes(piece);
    shown.text += Buffer.from(piece.subarray(0, taken)).toString();
    return taken;
  };
  const events = {
    onError: (error: Error) => shown.errors.push(error.message),
    onCut: () => shown.cuts++,
  };
  const stream = () => terminal.stream({ columns: 80 }, writePiece, events);
  const take = async () => {
    while (waiting === undefined) await new Promise(setImmediate);
    waiting();
    waiting = undefined;
  };
  return { ending, terminal, shown, take, stdout: stream(), stderr: stream() };
}

const LINES = `${'a'.repeat(99)}\n`.repeat(200);

test('output to one stream follows output to the other, never within it', async () => {
  const { terminal, shown, take, stdout, stderr } = screen();
  void stdout.write(LINES);
  void stderr.write('a notice\n');
  void stdout.write('b\n');
  for (let piece = 0; piece < 5; piece++) await take();
  await terminal.written();
  expect(shown).toEqual({ text: `${LINES}a notice\nb\n`, cuts: 0, errors: [] });
});

test('at the end the current write is cut after a line, and later writes go out', async () => {
  const { ending, shown, take, stdout } = screen();
  const written = stdout.write(LINES);
  await take();
  ending.abort();
  await written;
  const rest = stdout.write('behind\n');
  await take();
  await rest;
  expect(shown).toEqual({ text: `${LINES.slice(0, 8100)}behind\n`, cuts: 1, errors: [] });
});

test('a line that is cut ends, where it had an end', async () => {
  const { ending, shown, take, stdout } = screen();
  const written = stdout.write(`${'ä'.repeat(20_000)}\n`);
  await take();
  ending.abort();
  await take();
  await written;
  expect(shown).toEqual({ text: `${'ä'.repeat(4096)}\n`, cuts: 1, errors: [] });
});

test('a terminal that takes only a part gets no more of the same', async () => {
  const { shown, take, stdout } = screen(() => 10);
  const written = stdout.write(LINES);
  await take();
  await take();
  await written;
  expect(shown).toMatchObject({ text: expect.stringMatching(/^a{10}\n?$/), cuts: 1 });
});

test('reports a failed write, and tries the next one', async () => {
  let isBroken = true;
  const { shown, take, stdout } = screen((piece) => {
    if (isBroken) throw new Error('EIO');
    return piece.length;
  });
  const failed = stdout.write('lost\n');
  await take();
  await failed;
  isBroken = false;
  const written = stdout.write('shown\n');
  await take();
  await written;
  expect(shown).toEqual({ text: 'shown\n', cuts: 0, errors: ['EIO'] });
});

test.each([
  ['nothing', ''],
  ['a short line', 'ä\n'],
  ['many lines', 'a line of some length: ä\n'.repeat(5000)],
  ['a long line in front of others', `${'ä'.repeat(20_000)}\nshort\n${'b'.repeat(9000)}`],
])('pieces are what was to be written, and none is large: %s', (_, text) => {
  const pieces = [...terminalPieces(Buffer.from(text))];
  expect(Buffer.concat(pieces).toString()).toBe(text);
  for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(8192);
});

test('lines stay whole where they fit', () => {
  for (const piece of terminalPieces(Buffer.from('0123456789\n'.repeat(5000))))
    expect(piece.length % 11).toBe(0);
});
