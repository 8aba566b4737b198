import { once } from 'node:events';
import { connect } from 'node:http2';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { createAuthority } from '@logtool/simcluster/src/access/tls.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeClient } from '../../../../../test/support/fake-client.ts';
import type { ServedHttps } from '../http/https-server.ts';
import { RunList } from '../runs/run-list.ts';
import { serveApi } from './serve-api.ts';

const CHUNK = Buffer.alloc(64 * 1024, 'x');
const CHUNKS = 800;
const LOG = '/apis/logtool.dev/v1alpha1/namespaces/shop/pods';

let agent: Server;
let api: ServedHttps;
let bundle: string;
/** Bytes of each pod's log that the agent could write. */
const written = new Map<string, number>();

function* logOf(pod: string): Generator<Buffer> {
  for (let sent = 0; sent < CHUNKS; sent++) {
    written.set(pod, (written.get(pod) ?? 0) + CHUNK.length);
    yield CHUNK;
  }
}

beforeAll(async () => {
  const authority = await createAuthority('logtool-ca');
  bundle = authority.certificate;
  const { key, certificate } = await authority.issuePeer('logtool-agent', ['node-1.logtool-agent']);
  agent = createServer({ key, cert: certificate }, (request, response) => {
    const pod = /\/pods\/(\w+)\//.exec(request.url ?? '')?.[1] ?? '';
    Readable.from(logOf(pod)).pipe(response);
  });
  agent.listen(0, '127.0.0.1');
  await once(agent, 'listening');
  const own = await authority.issuePeer('logtool-api', ['localhost']);
  const address = { node: 'node-1', host: '127.0.0.1', port: (agent.address() as AddressInfo).port };
  api = await serveApi({
    ...own,
    host: 'localhost',
    port: 0,
    clock: systemClock,
    client: fakeClient({}),
    agents: { of: () => address },
    frontProxy: { callerOf: () => ({ identity: { user: 'jane', uid: '', groups: [], extra: {} } }) },
    reviews: { refusalOf: async () => undefined },
    runs: {
      list: new RunList({ clock: systemClock }),
      gathered: { settled: async () => undefined, missingNodes: () => [] },
    },
    credentials: () => ({ ...own, bundle }),
    report: (report) => expect.unreachable(JSON.stringify(report)),
  });
});
afterAll(async () => {
  await api.close();
  agent.closeAllConnections();
  agent.close();
});

test('a caller that does not read holds up its own log at the agent, and no other on its connection', async () => {
  const session = connect(`https://localhost:${api.port}`, { ca: bundle });
  const open = async (pod: string) => {
    const stream = session.request({ ':path': `${LOG}/${pod}/log?node=node-1` });
    await once(stream, 'response');
    return stream;
  };
  const read = async (stream: AsyncIterable<Buffer>) => {
    let bytes = 0;
    for await (const chunk of stream) bytes += chunk.length;
    return bytes;
  };
  const stalled = await open('stalled');
  stalled.pause();
  const whole = CHUNKS * CHUNK.length;
  for (const pod of ['first', 'second']) expect(await read(await open(pod))).toBe(whole);
  expect(written.get('stalled')).toBeLessThan(whole / 3);
  expect(await read(stalled)).toBe(whole);
  session.close();
});
