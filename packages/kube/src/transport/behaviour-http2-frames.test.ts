import { expect, onTestFinished, test } from 'vitest';
import {
  ACK,
  END_STREAM,
  FRAME,
  type FrameLink,
  type FrameScript,
  startFrameServer,
} from '../../../../test/support/connection/frame-server.ts';
import { live, readerOf, SOME, textOf } from '../../../../test/support/connection/log-server.ts';
import { FakeClock } from '../values/clock.ts';
import { Http2Link } from './http2-link.ts';
import { performStream } from './perform.ts';
import { SharedConnections } from './shared-connections.ts';

/** SETTINGS_MAX_CONCURRENT_STREAMS */
const STREAMS = 3;
/** SETTINGS_INITIAL_WINDOW_SIZE */
const WINDOW = 4;

/** Starts a server. Calls `answer` for each request. */
async function start(answer: (link: FrameLink, stream: number) => void, more: Partial<FrameScript> = {}) {
  const server = await startFrameServer({
    ...more,
    onFrame: (link, frame) => {
      if (frame.type === FRAME.headers) answer(link, frame.stream);
      more.onFrame?.(link, frame);
    },
  });
  const reader = await readerOf(server);
  await reader.busy();
  return { server, ...reader };
}

const hello = (link: FrameLink, stream: number) => {
  link.head(stream);
  link.data(stream, 'hello\n', END_STREAM);
};

test.each<[string, (link: FrameLink, stream: number) => void]>([
  ['a reset without an error', (link, stream) => link.reset(stream, 0)],
  ['the end of the connection', (link) => link.socket.end()],
  ['a connection that breaks', (link) => link.cut()],
  [
    'a goodbye and the end of the connection',
    (link, stream) => {
      link.goaway(stream, 0);
      link.socket.end();
    },
  ],
])('a log that is not whole is cut: %s', async (_name, end) => {
  const { log, server } = await start((link, stream) => {
    link.head(stream);
    link.data(stream, 'first\n');
  });
  const chunks = (await log('web')).body[Symbol.asyncIterator]();
  await chunks.next();
  const [link] = server.links;
  if (link !== undefined) end(link, 1);
  await expect(chunks.next()).rejects.toMatchObject({ kind: 'connection', code: 'ECONNRESET' });
});

test('a log is cut if its connection breaks after a goodbye', async () => {
  const { log } = await start(
    (link, stream) => {
      link.head(stream);
      link.goaway(stream, 0);
    },
    // The client has received the goodbye, because it sends its own.
    { onFrame: (link, { type }) => type === FRAME.goaway && link.cut() },
  );
  await expect(textOf(await log('web'))).rejects.toMatchObject({ kind: 'connection', code: 'ECONNRESET' });
});

test.each<[string, string, (link: FrameLink, stream: number) => void]>([
  ['with its head', '', (link, stream) => link.head(stream, END_STREAM)],
  ['with its last bytes', 'hello\n', hello],
  [
    'behind its last bytes',
    'hello\n',
    (link, stream) => {
      link.head(stream);
      link.data(stream, 'hello\n');
      link.data(stream, '', END_STREAM);
    },
  ],
  [
    'with trailers',
    'hello\n',
    (link, stream) => {
      link.head(stream);
      link.data(stream, 'hello\n');
      // `accept-ranges: a` without an index.
      link.send(FRAME.headers, 0x4 | END_STREAM, stream, Buffer.from([0x0f, 0x03, 0x01, 0x61]));
    },
  ],
])('a log is whole that the server ends %s', async (_name, text, answer) => {
  const { log } = await start(answer);
  expect(await textOf(await log('web'))).toBe(text);
});

test('logs that came whole and are left unread give their places back', async () => {
  const { log, server } = await start(hello, { onOpen: (link) => link.settings({ [STREAMS]: 2 }) });
  for (let round = 0; round < 10; round++) {
    // The second log is answered after all of the first one has arrived.
    const opened = [await log('web'), await log('api')];
    for (const { body } of opened) await body[Symbol.asyncIterator]().return?.();
  }
  expect(server.links).toHaveLength(1);
});

test('a server that takes no streams is read over HTTP/1.1', async () => {
  const { log } = await start(() => {}, { onOpen: (link) => link.settings({ [STREAMS]: 0 }) });
  expect(await textOf(await log('web'))).toBe('over 1.1\n');
});

test('a server that says goodbye to every log, and leaves its connections open, is read over HTTP/1.1', async () => {
  const { log } = await start((link) => {
    link.goaway(0, 0);
    link.socket.pause();
  });
  expect(await textOf(await log('web'))).toBe('over 1.1\n');
});

test('a server that takes no more streams finishes those that it has begun', async () => {
  const begun: number[] = [];
  const { log, server } = await start((link, stream) => {
    if (begun.push(stream) > 1) return link.settings({ [STREAMS]: 0 });
    link.head(stream);
    link.data(stream, 'first\n');
  });
  const running = await log('web');
  expect(await textOf(await log('api'))).toBe('over 1.1\n');
  server.links[0]?.data(begun[0] ?? 0, 'second\n', END_STREAM);
  expect(await textOf(running)).toBe('first\nsecond\n');
});

test('what is not sent yet when the server takes fewer goes another way', async () => {
  const server = await startFrameServer({
    onOpen: (link) => link.settings({ [STREAMS]: 2 }),
    onFrame: (link, { type, stream }) => type === FRAME.headers && link.head(stream),
  });
  const { connection } = await readerOf(server);
  let link: Http2Link | undefined;
  await new Promise<void>((resolve) => {
    link = new Http2Link({
      connect: () => connection.connect(['h2']),
      origin: server.url,
      clock: new FakeClock(),
      assumedStreams: 10,
      onAllowed: () => resolve(),
      onGone: () => {},
      onEnd: () => {},
    });
    for (let count = 0; count < 3; count++) link.enter();
  });
  onTestFinished(() => link?.destroy());
  expect(() => link?.request({ ':path': '/' })).toThrow('request-given-up {"reset":"REFUSED_STREAM"}');
  link?.leave();
  const stream = link?.request({ ':path': '/' });
  await new Promise((resolve) => stream?.once('response', resolve));
});

test('a log that continues after a goodbye may be silent', async () => {
  let asked = -1;
  const { log, clock, server } = await start((link, stream) => link.head(stream), {
    // The first settings are those of a new connection.
    onFrame: (_link, { type, flags }) => type === FRAME.settings && flags !== ACK && asked++,
  });
  const running = await log('web');
  const [link] = server.links;
  link?.goaway(1, 0);
  await live(clock, 200);
  expect(asked).toBeGreaterThan(2);
  link?.data(1, 'last\n', END_STREAM);
  expect(await textOf(running)).toBe('last\n');
});

test('a connection that breaks the protocol is given up in seconds', async () => {
  const { log, clock, server } = await start((link, stream) => link.head(stream));
  const running = expect(textOf(await log('web'))).rejects.toMatchObject({ code: 'ECONNRESET' });
  // No request has used that stream number.
  server.links[0]?.data(3, 'what?');
  await live(clock, 10);
  await running;
});

/** Returns the initial windows that settings announce, in bytes. */
function windowsIn(settings: Buffer): readonly number[] {
  const windows: number[] = [];
  for (let at = 0; at < settings.length; at += 6)
    if (settings.readUInt16BE(at) === WINDOW) windows.push(settings.readUInt32BE(at + 2));
  return windows;
}

test('a log that nobody reads is given 16 KiB, and 128 as soon as one is read on', async () => {
  const windows: number[] = [];
  const given = new Map<number, number>();
  let caughtUp = () => {};
  const { log, server } = await start((link, stream) => link.head(stream), {
    onFrame: (_link, { type, flags, stream, payload }) => {
      if (type === FRAME.window) given.set(stream, (given.get(stream) ?? 0) + payload.readUInt32BE());
      if (type === FRAME.settings && flags !== ACK) windows.push(...windowsIn(payload));
      if (type === FRAME.ping && flags === ACK) caughtUp();
    },
  });
  const { body } = await log('web');
  const [link] = server.links;
  const hasCaughtUp = async () => {
    const heard = new Promise<void>((resolve) => {
      caughtUp = resolve;
    });
    link?.send(FRAME.ping, 0, 0, Buffer.alloc(8));
    await heard;
  };
  const frame = 'x'.repeat(16_384);
  link?.data(1, frame);
  await hasCaughtUp();
  expect(windows).toEqual([16_384]);
  expect(given.get(1)).toBe(undefined);
  expect(given.get(0)).toBeGreaterThan(15 * 1024 * 1024);
  const other = await log('api');
  let unread = frame.length;
  let frames = 0;
  for await (const chunk of body) {
    unread -= chunk.length;
    if (unread > 0) continue;
    await hasCaughtUp();
    // Reading the amount that a body reads ahead anyway does not widen the window.
    if (++frames < 3) expect(windows).toEqual([16_384]);
    if (windows.length === 1) {
      link?.data(1, frame);
      unread += frame.length;
    } else {
      link?.data(1, '', END_STREAM);
    }
  }
  expect(windows).toEqual([16_384, 131_072]);
  // The wider window also applies to streams that were already open, and allows no more than that.
  for (let sent = 0; sent < 131_072; sent += frame.length) link?.data(3, frame);
  link?.data(3, '', END_STREAM);
  expect((await textOf(other)).length).toBe(131_072);
});

test('a connection that carries nothing does not keep the process alive', async () => {
  const keeping = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
  let finish = () => {};
  const { log } = await start((link, stream) => {
    link.head(stream);
    finish = () => link.data(stream, '', END_STREAM);
  });
  const first = await log('web');
  const used = keeping();
  finish();
  await textOf(first);
  await new Promise((resolve) => setImmediate(resolve));
  expect(keeping()).toBe(used - 1);
  await log('api');
  expect(keeping()).toBe(used);
});

test('an answer that does not begin is not waited for longer than allowed', async () => {
  const server = await startFrameServer({ onFrame: () => {} });
  const { connection, clock } = await readerOf(server);
  const shared = new SharedConnections(connection, clock);
  onTestFinished(() => shared.close());
  for (let taken = 0; taken < SOME; taken++) shared.takeOwn();
  const asked = performStream(
    {
      connection,
      shared,
      clock,
      userAgent: 'test',
      connectTimeoutMs: 60_000,
      answerTimeoutMs: 60_000,
      logAnswerTimeoutMs: 60_000,
      random: () => 1,
    },
    {
      method: 'GET',
      path: '/log',
      subject: { verb: 'get', resource: 'pods' },
      accept: '*/*',
      sharesConnection: true,
      answerTimeoutMs: 1,
    },
  );
  await expect(asked).rejects.toMatchObject({ kind: 'connection', code: 'ERR_NO_ANSWER' });
});

test("closing a client closes a connection after the server's GOAWAY", async () => {
  let heard = () => {};
  const isHeard = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const { log, client, server } = await start((link, stream) => link.head(stream), {
    onFrame: (_link, { type }) => type === FRAME.goaway && heard(),
  });
  const running = await log('web');
  const [link] = server.links;
  link?.goaway(1, 0);
  await isHeard;
  const isClosed = new Promise<void>((resolve) => link?.socket.once('close', () => resolve()));
  client.close();
  await isClosed;
  await expect(textOf(running)).rejects.toMatchObject({ kind: 'connection' });
});
