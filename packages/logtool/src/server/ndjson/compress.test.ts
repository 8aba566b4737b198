import { constants, createGunzip } from 'node:zlib';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { gzipped, takesGzip } from './compress.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** Returns a body whose pieces the test provides one by one, and its output. */
function bodyOf() {
  const state = { isCanceled: false, pulls: 0 };
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(own) {
        controller = own;
      },

      pull() {
        state.pulls++;
      },

      cancel() {
        state.isCanceled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return {
    state,
    body,
    give: (text: string) => controller?.enqueue(bytes(text)),
    end: () => controller?.close(),
    fail: () => controller?.error(new Error('cut off')),
  };
}

/** Decompresses the bytes received so far. */
async function unpack(pieces: readonly Uint8Array[]): Promise<string> {
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  gunzip.end(Buffer.concat(pieces));
  let text = '';
  for await (const chunk of gunzip) text += String(chunk);
  return text;
}

test('each piece is readable once it is sent, and takes less room', async () => {
  const { body, give, end } = bodyOf();
  const reader = gzipped(body).getReader();
  const got: Uint8Array[] = [];
  let sentText = '';
  for (const text of [
    '{"type":"synced"}\n',
    `${'{"name":"web"}'.repeat(5_000)}\n`,
    '{"type":"heartbeat"}\n',
  ]) {
    give(text);
    sentText += text;
    const { value } = await reader.read();
    got.push(value ?? bytes(''));
    expect(await unpack(got)).toBe(sentText);
  }
  end();
  for (let step = await reader.read(); !step.done; step = await reader.read()) got.push(step.value);
  expect(await unpack(got)).toBe(sentText);
  expect(Buffer.concat(got).length).toBeLessThan(sentText.length / 10);
});

test('nothing is asked for before the reader asks; what it leaves or what breaks goes through', async () => {
  const left = bodyOf();
  const reader = gzipped(left.body).getReader();
  await new Promise((resolve) => setImmediate(resolve));
  expect(left.state.pulls).toBe(0);
  await reader.cancel();
  expect(left.state.isCanceled).toBe(true);
  const broken = bodyOf();
  const read = gzipped(broken.body).getReader().read();
  broken.fail();
  await expect(read).rejects.toThrow('cut off');
});

test('a reader that leaves while it waits, or while something is packed, leaves nothing to go wrong', async () => {
  for (const isPacking of [false, true]) {
    const { body, give, state } = bodyOf();
    const reader = gzipped(body).getReader();
    const read = reader.read();
    if (isPacking) give('x'.repeat(1_000_000));
    await new Promise((resolve) => setImmediate(resolve));
    await reader.cancel();
    await read;
    expect(state.isCanceled).toBe(true);
  }
});

test.each([
  ['gzip, deflate, br, zstd', true],
  ['br;q=1, gzip;q=0.5', true],
  ['GZIP', true],
  ['gzip;q=0', false],
  ['gzip; q=0.0, br', false],
  ['br', false],
  ['x-gzip', false],
  [undefined, false],
])('%s: %s', async (accepted, takes) => {
  const app = new Hono();
  app.get('/', (context) => context.json(takesGzip(context)));
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
  expect(await (await app.request('/', { headers })).json()).toBe(takes);
});
