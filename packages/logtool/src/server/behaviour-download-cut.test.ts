import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startLongLog } from '../../../../test/support/server/long-log.ts';
import { optionsOn } from '../../../../test/support/server/start-dashboard.ts';
import { createDashboard } from './create-dashboard.ts';
import { listen } from './node.ts';

const LAST_CHUNK = '\r\n0\r\n\r\n';

/** Requests the whole log of a pod, some megabytes, over a socket of the server itself. */
async function beginDownload() {
  const cluster = await startLongLog();
  const dashboard = await createDashboard(optionsOn(cluster.kubeconfig));
  const server = await listen(dashboard.fetch, { host: '127.0.0.1', port: 0, mayMove: false });
  const { port } = server;
  const base = `http://127.0.0.1:${port}/api/v1`;
  const { token } = (await (await fetch(`${base}/token`)).json()) as { token: string };
  const query = JSON.stringify({ id: 1, sources: ['default:pods/long'], selection: { kind: 'all' } });
  const search = new URLSearchParams({ format: 'text', token, query });
  const socket = connect(port, '127.0.0.1');
  onTestFinished(async () => {
    socket.destroy();
    await server.close();
    await dashboard.close();
    await cluster.close();
  });
  const got: Buffer[] = [];
  socket.on('error', () => {});
  socket.write(
    `GET /api/v1/contexts/admin/logs/download?${search} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`,
  );
  const [first] = (await once(socket, 'data')) as [Buffer];
  got.push(first);
  expect(String(first)).toMatch(/^HTTP\/1\.1 200 /);
  socket.pause().on('data', (chunk: Buffer) => got.push(chunk));
  return { dashboard, socket, text: () => Buffer.concat(got).toString('latin1') };
}

test.each(['stands still', 'reads on'])(
  'a download that is ended before its end is broken off while its reader %s: no cut file passes for a whole one',
  async (reader) => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => printed.mockRestore());
    const { dashboard, socket, text } = await beginDownload();
    const closed = once(socket, 'close');
    if (reader === 'reads on') {
      socket.resume();
      await once(socket, 'data');
    }
    dashboard.endStreams('revoked');
    // The server releases the slot whether or not the client reads anything.
    while (dashboard.streams.count > 0) await new Promise((resolve) => setImmediate(resolve));
    socket.resume();
    await closed;
    expect(text()).not.toContain(LAST_CHUNK);
    expect(text()).not.toContain('Error');
    expect(printed).not.toHaveBeenCalled();
  },
);
