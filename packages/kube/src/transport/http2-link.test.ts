import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { streamOf } from '../../../../test/support/connection/http2-server.ts';
import { live, pour, SOME, startLogServer, textOf } from '../../../../test/support/connection/log-server.ts';
import { startRelay } from '../../../../test/support/connection/relay.ts';

test('each of many logs arrives completely while nobody reads the others', async () => {
  const bytes = 300_000;
  const { log, logs, busy, server } = await startLogServer((_request, response) => pour(response, bytes));
  await busy();
  // The server's first answer shows how many streams it accepts.
  await textOf(await log('web'));
  // More than the window of their connection holds.
  const opened = await logs(150, 'web');
  for (const log of opened.reverse()) expect((await textOf(log)).length).toBe(bytes);
  expect(server.sessions).toHaveLength(1);
});

test('a server that says goodbye finishes what runs, and what comes next finds a new connection', async () => {
  const answers: ServerResponse[] = [];
  const { server, log, busy } = await startLogServer((_request, response) => {
    answers.push(response);
    response.write('first\n');
  });
  await busy();
  const running = await log('web');
  server.sessions[0]?.goaway(0);
  // The goodbye has been received when the client answers a later frame.
  await new Promise<void>((resolve) => server.sessions[0]?.ping(() => resolve()));
  const next = await log('api');
  expect(server.sessions).toHaveLength(2);
  for (const answer of answers) answer.end('second\n');
  expect(await textOf(running)).toBe('first\nsecond\n');
  expect(await textOf(next)).toBe('first\nsecond\n');
});

test('what a server did not begin with before its goodbye is sent again', async () => {
  let asked = 0;
  const { server, log, busy } = await startLogServer((_request, response) => {
    if (++asked !== 2) return void response.end('hello\n');
    const { session, id = 0 } = streamOf(response);
    session?.goaway(0, id - 2);
  });
  await busy();
  await textOf(await log('api'));
  expect(await textOf(await log('web'))).toBe('hello\n');
  expect(server.requests.slice(SOME).map((line) => line.slice(0, 3))).toEqual(['2.0', '2.0', '2.0']);
  expect(server.sessions).toHaveLength(2);
});

test('a connection that is reset ends all its logs, and the next ones get another', async () => {
  const { server, logs, busy, log } = await startLogServer((request, response) => {
    if (request.url?.includes('/again')) response.end('hello\n');
    else response.write('first\n');
  });
  await busy();
  const opened = await logs(20, 'web');
  const bodies = opened.map((one) => one.body[Symbol.asyncIterator]());
  for (const body of bodies) await body.next();
  server.cutAll();
  for (const body of bodies) await expect(body.next()).rejects.toMatchObject({ kind: 'connection' });
  await Promise.all(Array.from({ length: SOME }, (_, index) => log(`busy-again-${index}`)));
  expect(await textOf(await log('again'))).toBe('hello\n');
});

test('a connection that falls silent is asked for a sign of life, and given up without one', async () => {
  const relay = await startRelay();
  const { server, logs, busy, clock } = await startLogServer(
    (_request, response) => response.write('first\n'),
    {
      through: relay.to,
    },
  );
  await busy();
  const opened = await logs(3, 'web');
  const bodies = opened.map((one) => one.body[Symbol.asyncIterator]());
  for (const body of bodies) await body.next();
  const [session] = server.sessions;
  let asked = 0;
  session?.on('ping', () => asked++);
  await live(clock, 200);
  expect(asked).toBeGreaterThan(2);
  expect(session?.destroyed).toBe(false);
  // Like a pulled cable: no data arrives, and no error.
  relay.hold();
  const gone = {
    kind: 'connection',
    code: 'ETIMEDOUT',
    problem: { code: 'ping-unanswered', data: { limitMs: 15_000 } },
  };
  const failures = bodies.map((body) => expect(body.next()).rejects.toMatchObject(gone));
  await live(clock, 46);
  await Promise.all(failures);
});
