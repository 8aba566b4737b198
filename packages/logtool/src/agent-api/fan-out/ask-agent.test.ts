import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createPlain } from 'node:net';
import { FakeClock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { type Authority, createAuthority, type Identity } from '@logtool/simcluster/src/access/tls.ts';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ApiCredentials, askAgent } from './ask-agent.ts';

let authority: Authority;
let credentials: ApiCredentials;
beforeAll(async () => {
  authority = await createAuthority('logtool-ca');
  const own = await authority.issuePeer('logtool-api', ['logtool-api.logtool.svc']);
  credentials = { ...own, bundle: authority.certificate };
});

async function serve(
  { key, certificate }: Identity,
  answer: Parameters<typeof createServer>[1],
): Promise<Server> {
  const server = createServer({ key, cert: certificate }, answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
const { signal } = new AbortController();

function ask(port: number, { node = 'node-1', clock = systemClock, aborted = signal } = {}) {
  const address = { node, host: '127.0.0.1', port };
  return askAgent(address, { path: '/', identity: undefined, signal: aborted }, credentials, clock);
}

describe('the API accepts as the agent of node-1', () => {
  test.each<[string, () => Promise<Identity>, boolean]>([
    ['its own certificate', () => authority.issuePeer('logtool-agent', ['node-1.logtool-agent']), true],
    ['one for all agents', () => authority.issuePeer('logtool-agent', ['logtool-agent']), false],
    ['one for any node', () => authority.issuePeer('logtool-agent', ['*.logtool-agent']), false],
    [
      'the certificate of node-2',
      () => authority.issuePeer('logtool-agent', ['node-2.logtool-agent']),
      false,
    ],
    [
      'one for a name that begins so',
      () => authority.issuePeer('logtool-agent', ['node-1.logtool-agent.evil']),
      false,
    ],
    ['one whose common name alone says so', () => authority.issuePeer('node-1.logtool-agent', ['x']), false],
    [
      'the certificate of the API',
      () => authority.issuePeer('logtool-api', ['logtool-api.logtool.svc']),
      false,
    ],
    [
      'one of another authority',
      async () => (await createAuthority('logtool-ca')).issuePeer('logtool-agent', ['node-1.logtool-agent']),
      false,
    ],
  ])('%s', async (_, issue, isAccepted) => {
    let requests = 0;
    const server = await serve(await issue(), (_request, response) => {
      requests++;
      response.end();
    });
    const asked = ask(portOf(server)).then(
      ({ code }) => code,
      () => 'refused',
    );
    expect([await asked, requests]).toEqual(isAccepted ? [200, 1] : ['refused', 0]);
  });
});

test('an agent that cannot be connected to within 5 s is given up', async () => {
  const silent = createPlain();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const connected = once(silent, 'connection');
  const clock = new FakeClock();
  const asked = ask(portOf(silent), { clock });
  const refused = expect(asked).rejects.toThrow('ETIMEDOUT');
  await connected;
  await clock.advance(5000);
  await refused;
  const [socket] = await connected;
  socket.destroy();
});

test('an agent may take its time to answer, and a caller may leave meanwhile', async () => {
  const server = await serve(
    await authority.issuePeer('logtool-agent', ['node-1.logtool-agent']),
    () => undefined,
  );
  const arrived = once(server, 'request');
  const clock = new FakeClock();
  const left = new AbortController();
  const asked = ask(portOf(server), { clock, aborted: left.signal });
  const rejected = expect(asked).rejects.toBe('left');
  await arrived;
  await clock.advance(600_000);
  left.abort('left');
  await rejected;
});

test('an answer that the agent breaks off throws', async () => {
  const server = await serve(
    await authority.issuePeer('logtool-agent', ['node-1.logtool-agent']),
    (_, response) => {
      response.write('begun');
      response.socket?.end();
    },
  );
  const { body } = await ask(portOf(server));
  await expect(body.toArray()).rejects.toThrow('aborted');
});
