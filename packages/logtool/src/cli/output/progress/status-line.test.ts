import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { StatusLine } from './status-line.ts';

/** A terminal for both streams: what it received, and what it shows. */
function screen(options: { env?: Record<string, string>; quiet?: boolean; isTTY?: boolean } = {}) {
  const clock = new FakeClock();
  const sent: string[] = [];
  const stream = {
    isTTY: options.isTTY ?? true,
    columns: 80,
    write: async (chunk: string | Uint8Array) => void sent.push(String(chunk)),
  };
  const status = new StatusLine(stream, { clock, env: {}, ...options });
  const shown = () => {
    const lines = [''];
    for (const [token] of sent.join('').matchAll(/\r\x1b\[2K|\n|[^\r\n\x1b]+/g)) {
      if (token === '\n') lines.push('');
      else if (token.startsWith('\r')) lines[lines.length - 1] = '';
      else lines[lines.length - 1] += token;
    }
    return lines;
  };
  return { clock, sent, status, shown, stdout: status.guard(stream), stderr: status.guard(stream) };
}

test('a terminal is never silent for more than 1.5 s', async () => {
  const { clock, status, shown } = screen();
  status.watch(() => 'waiting');
  await clock.advance(500);
  expect(shown()).toEqual(['']);
  await clock.advance(1000);
  expect(shown()).toEqual(['waiting']);
});

test('also when it falls silent later, and after each write', async () => {
  for (const lateMs of [0, 1, 299, 300, 301, 650]) {
    const { clock, status, shown, stdout } = screen();
    status.watch(() => 'waiting');
    await clock.advance(5000 + lateMs);
    await stdout.write('a line\n');
    expect(shown()).toEqual(['a line', '']);
    await clock.advance(1500);
    expect(shown()).toEqual(['a line', 'waiting']);
  }
});

test('it is drawn again when its text changes, and only then', async () => {
  const { clock, sent, status, shown } = screen();
  let count = 1;
  status.watch(() => `waiting for ${count}`);
  await clock.advance(10_000);
  expect(sent).toEqual(['\r\x1b[2Kwaiting for 1']);
  count = 2;
  await clock.advance(1500);
  expect(shown()).toEqual(['waiting for 2']);
});

test('it is gone before anything else is on the terminal, and for good at the end', async () => {
  const { clock, sent, status, shown, stderr } = screen();
  status.watch(() => 'waiting');
  await clock.advance(2000);
  await stderr.write('a notice\n');
  expect(shown()).toEqual(['a notice', '']);
  await clock.advance(2000);
  await status.close();
  await clock.advance(10_000);
  expect(shown()).toEqual(['a notice', '']);
  expect(clock.pending).toBe(0);
  expect(sent.at(-1)).toBe('\r\x1b[2K');
});

test('does not overwrite text without an end of line', async () => {
  const { clock, sent, status, stderr } = screen();
  status.watch(() => 'waiting');
  await stderr.write('Enter the code: ');
  await clock.advance(10_000);
  expect(sent).toEqual(['Enter the code: ']);
  await stderr.write('\n');
  await clock.advance(1500);
  expect(sent.at(-1)).toBe('\r\x1b[2Kwaiting');
});

test('a terminal that takes nothing is not sent more of it', async () => {
  const clock = new FakeClock();
  let writes = 0;
  const stopped = {
    isTTY: true,
    columns: 80,
    write: () => {
      writes++;
      return new Promise<void>(() => undefined);
    },
  };
  const status = new StatusLine(stopped, { clock });
  let count = 0;
  status.watch(() => `waiting ${++count}`);
  await clock.advance(60_000);
  expect(writes).toBe(1);
});

test.each([
  ['a pipe', { isTTY: false }],
  ['--quiet', { quiet: true }],
  ['TERM=dumb', { env: { TERM: 'dumb' } }],
])('nothing is shown: %s', async (_, options) => {
  const { clock, sent, status } = screen(options);
  status.watch(() => 'waiting');
  await status.show('5 of 5');
  await clock.advance(10_000);
  await status.close();
  expect(sent).toEqual([]);
  expect(clock.pending).toBe(0);
});
