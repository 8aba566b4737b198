import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { constants, createGzip } from 'node:zlib';
import type { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ExtensionHandler,
  type ExtensionServer,
  startAggregated,
  startExtensionServer,
} from '../../../test/support/extension-server.ts';
import {
  aggregationRecording,
  answering,
  bodyOf,
  steadyHeaders,
} from '../../../test/support/recorded-aggregation.ts';
import { type ReceivedResponse, sendRequest } from '../../../test/support/send-request.ts';
import type { SimCluster } from '../../start.ts';

/** Streams of an extension, over each HTTP version on either side. */
interface Setup {
  readonly extension: ExtensionServer;
  readonly cluster: SimCluster;
  readonly clock: FakeClock;
}

const setups = new Map<boolean, Setup>();
beforeAll(async () => {
  for (const http2 of [true, false]) {
    const extension = await startExtensionServer(answering(aggregationRecording('group-version')), { http2 });
    setups.set(http2, { extension, ...(await startAggregated(extension)) });
  }
});
afterAll(async () => {
  for (const { extension, cluster } of setups.values()) {
    await cluster.close();
    await extension.kill();
  }
});

const SIDES = [
  { client: 1.1, upstream: 2 },
  { client: 2, upstream: 2 },
  { client: 1.1, upstream: 1.1 },
  { client: 2, upstream: 1.1 },
];
const NAMESPACE = '/apis/logtool.dev/v1alpha1/namespaces/truth';
const POD = `${NAMESPACE}/pods/web-1`;

function setupOf(upstream: number): Setup {
  const setup = setups.get(upstream === 2);
  if (setup === undefined) throw new Error('not started');
  return setup;
}

/** A stream that the test writes to, line by line. */
interface Stream {
  write(text: string): void;
  end(): void;
  abort(): void;
  /** Resolves when the extension learns that nobody reads any more. */
  readonly left: Promise<unknown>;
}

/** Sends a request, and returns the extension's side of its stream too. */
async function stream(
  { extension, cluster }: Setup,
  path: string,
  client: number,
): Promise<{ readonly response: ReceivedResponse; readonly stream: Stream }> {
  const opened = new Promise<Stream>((resolve) => {
    extension.handle = (request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      (response as unknown as ServerResponse).flushHeaders();
      resolve({
        write: (text) => void response.write(text),
        end: () => void response.end(),
        abort: () => void (request.stream === undefined ? request.socket.destroy() : request.stream.close(2)),
        left: once(response, 'close'),
      });
    };
  });
  const response = await sendRequest(cluster, 'admin', { path, http2: client === 2 });
  return { response, stream: await opened };
}

describe.each(SIDES)('client on HTTP/$client, extension on HTTP/$upstream', ({ client, upstream }) => {
  test('each write arrives at once, and the end is the end', async () => {
    const { response, stream: written } = await stream(setupOf(upstream), `${POD}/log`, client);
    for (const line of [1, 2, 3]) {
      written.write(`line ${line}\n`);
      await response.holds(7 * line);
      expect(response.reads.map(String)).toEqual(['line 1\n', 'line 2\n', 'line 3\n'].slice(0, line));
    }
    written.end();
    expect(await response.ended).toMatchObject({ cut: false });
  });

  test('an extension that breaks off is seen to break off', async () => {
    const { response, stream: written } = await stream(setupOf(upstream), `${POD}/log`, client);
    written.write('line 1\n');
    await response.holds(7);
    written.abort();
    const { body, cut, code } = await response.ended;
    const recorded = aggregationRecording(client === 2 ? 'abort-http2' : 'abort').notes.closedBy;
    expect([body.toString(), cut]).toEqual(['line 1\n', true]);
    expect(code).toBe(recorded.includes('NGHTTP2_INTERNAL_ERROR') ? 2 : undefined);
  });

  test.each(['log', 'tail'])('the extension learns when the client leaves %s', async (subresource) => {
    const { response, stream: written } = await stream(setupOf(upstream), `${POD}/${subresource}`, client);
    written.write('line 1\n');
    await response.holds(7);
    response.leave();
    await written.left;
  });

  test('the subresource log and a watch have no limit of time', async () => {
    const setup = setupOf(upstream);
    for (const path of [`${POD}/log?timeout=5s`, `${NAMESPACE}/containerlogs?watch=true&timeout=3s`]) {
      const { response, stream: written } = await stream(setup, path, client);
      await setup.clock.advance(600_000);
      written.write('after ten minutes\n');
      await response.holds(18);
      written.end();
      expect((await response.ended).cut).toBe(false);
    }
  });

  test.each([
    ['stream-tail-60s', '/tail', 59_999],
    ['stream-tail-timeout-5s', '/tail?timeout=5s', 4999],
    ['stream-tail-timeout-120s', '/tail?timeout=120s', 59_999],
  ])('another subresource is cut: %s', async (name, subresource, lastMs) => {
    const { closedBy } = aggregationRecording(name).notes;
    const setup = setupOf(upstream);
    const { response, stream: written } = await stream(setup, POD + subresource, client);
    await setup.clock.advance(lastMs);
    written.write('just in time\n');
    await response.holds(13);
    await setup.clock.advance(1);
    await written.left;
    const { body, cut, code } = await response.ended;
    expect([body.toString(), cut]).toEqual(['just in time\n', closedBy.startsWith('error')]);
    if (client === 2) expect(code).toBe(2);
  });

  test('no answer within the limit is 504', async () => {
    const { extension, cluster, clock } = setupOf(upstream);
    const recorded = aggregationRecording('stream-tail-no-answer');
    const asked = new Promise<void>((resolve) => {
      extension.handle = () => resolve();
    });
    const waiting = sendRequest(cluster, 'admin', { path: `${POD}/tail`, http2: client === 2 });
    await asked;
    await clock.advance(60_000);
    const response = await waiting;
    const { body } = await response.ended;
    expect([response.status, body.toString()]).toEqual([504, recorded.response.body]);
    expect(steadyHeaders(response.headers)).toEqual(steadyHeaders(recorded.response.headers));
  });

  test('fields after the body pass', async () => {
    const recorded = aggregationRecording(client === 2 ? 'trailers-http2' : 'trailers');
    const { extension, cluster } = setupOf(upstream);
    extension.handle = (request, response) => {
      expect(request.headers.te).toBe('trailers');
      response.writeHead(200, { 'content-type': 'text/plain', trailer: 'X-Logtool-Position' });
      response.write(bodyOf(recorded));
      response.addTrailers({ 'X-Logtool-Position': '0:5' });
      response.end();
    };
    const { path, headers } = recorded.request;
    const response = await sendRequest(cluster, 'admin', { path, headers, http2: client === 2 });
    const { body, trailers } = await response.ended;
    expect(body).toEqual(bodyOf(recorded));
    expect(trailers).toEqual(recorded.response.trailers);
    expect(response.headers.trailer).toBe('X-Logtool-Position');
  });

  test.each(['asked', 'not-asked'])('a stream that the extension compresses, gzip %s', async (asked) => {
    const recorded = aggregationRecording(`gzip-${asked}${client === 2 ? '-http2' : ''}`);
    const lines = bodyOf(aggregationRecording('gzip-not-asked')).toString().match(/.*\n/g) ?? [];
    const { extension, cluster } = setupOf(upstream);
    let next: () => void = () => undefined;
    extension.handle = gzipHandler(lines, (write) => {
      next = write;
    });
    const { path, headers } = recorded.request;
    const response = await sendRequest(cluster, 'admin', { path, headers, http2: client === 2 });
    let length = 0;
    for (const line of lines) {
      next();
      length += asked === 'asked' ? 1 : line.length;
      await response.holds(length);
    }
    next();
    const { body } = await response.ended;
    if (asked === 'not-asked') expect(body.toString()).toBe(lines.join(''));
    const { 'x-replica': _, ...wanted } = steadyHeaders(recorded.response.headers);
    expect(steadyHeaders(response.headers)).toEqual(wanted);
  });

  test('a client that does not read holds the extension up', async () => {
    const { extension, cluster } = setupOf(upstream);
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let written = 0;
    const blocked = new Promise<void>((resolve) => {
      extension.handle = async (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        const drained = () => once(response, 'drain').then(() => true);
        const quiet = () => new Promise<false>((settle) => setTimeout(settle, 150, false));
        for (; written < 100_000_000; written += chunk.length) {
          if (!response.write(chunk) && !(await Promise.race([drained(), quiet()]))) break;
        }
        resolve();
      };
    });
    const response = await sendRequest(cluster, 'admin', { path: `${POD}/log`, http2: client === 2 });
    response.pause();
    await blocked;
    response.leave();
    expect(written).toBeLessThan(40_000_000);
  });
});

/** Compresses line by line; each call of what `onReady` gets writes one, the last one ends the body. */
function gzipHandler(lines: readonly string[], onReady: (write: () => void) => void): ExtensionHandler {
  return (request, response) => {
    expect(request.headers['accept-encoding']).toBe('gzip');
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
    const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
    gzip.pipe(response as unknown as NodeJS.WritableStream);
    let index = 0;
    (response as unknown as ServerResponse).flushHeaders();
    onReady(() => {
      const line = lines[index++];
      if (line === undefined) gzip.end();
      else gzip.write(line);
    });
  };
}
