import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join, resolve } from 'node:path';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { load } from 'js-yaml';
import { afterEach, describe, expect, it } from 'vitest';
import { type SimCluster, startSimCluster } from './start.ts';

const SCENARIOS = resolve(import.meta.dirname, '../../../scenarios');
const open: SimCluster[] = [];

afterEach(async () => {
  for (const cluster of open.splice(0)) await cluster.close();
});

async function start(options: Parameters<typeof startSimCluster>[0]): Promise<SimCluster> {
  const cluster = await startSimCluster(options);
  open.push(cluster);
  return cluster;
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly 'certificate-authority-data': string } }[];
  readonly users: readonly {
    readonly user: { readonly 'client-certificate-data': string; readonly 'client-key-data': string };
  }[];
}

/** Makes a GET request as the administrator. */
async function get(cluster: SimCluster, path: string): Promise<{ status: number; text: string }> {
  const config = load(await readFile(cluster.kubeconfig, 'utf8')) as Kubeconfig;
  const pem = (text: string | undefined) => Buffer.from(text ?? '', 'base64');
  const user = config.users[0]?.user;
  const ca = pem(config.clusters[0]?.cluster['certificate-authority-data']);
  const cert = pem(user?.['client-certificate-data']);
  const key = pem(user?.['client-key-data']);
  return new Promise((done, fail) => {
    const asked = request(`${cluster.server}${path}`, { ca, cert, key, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        done({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
      response.on('error', fail);
    });
    asked.on('error', fail);
    asked.end();
  });
}

describe('startSimCluster', () => {
  it('serves pods and their logs', async () => {
    const cluster = await start({ scenario: join(SCENARIOS, 'minimal.yaml') });
    const pods = JSON.parse((await get(cluster, '/api/v1/namespaces/default/pods')).text) as {
      items: { metadata: { name: string }; status: { phase: string } }[];
    };
    const phases = pods.items.map((pod) => `${pod.metadata.name.replace(/-.{5}$/, '')} ${pod.status.phase}`);
    expect(phases).toEqual([
      'db-0 Running',
      'hello Succeeded',
      expect.stringMatching(/^web-\w+ Running$/),
      expect.stringMatching(/^web-\w+ Running$/),
    ]);
    const log = await get(cluster, '/api/v1/namespaces/default/pods/hello/log');
    expect(log).toEqual({ status: 200, text: 'one\ntwo\nthree\n' });
    const web = pods.items.find((pod) => pod.metadata.name.startsWith('web'))?.metadata.name;
    const stamped = await get(
      cluster,
      `/api/v1/namespaces/default/pods/${web}/log?container=app&timestamps=true`,
    );
    expect(stamped.text.split('\n')[0]).toBe('2026-11-21T10:00:00.123456789Z GET /healthz 200');
  });

  it('writes what a test asks for into the log', async () => {
    const cluster = await start({ scenario: join(SCENARIOS, 'minimal.yaml'), clock: new FakeClock() });
    await cluster.writeLog(
      { namespace: 'default', pod: 'db-0', container: 'postgres' },
      { bytes: Buffer.from('checkpoint'), stream: 'stderr', at: '2026-11-21T12:00:00.5Z' },
    );
    const log = await get(cluster, '/api/v1/namespaces/default/pods/db-0/log?tailLines=1&timestamps=true');
    expect(log.text).toBe('2026-11-21T12:00:00.500000000Z checkpoint\n');
  });

  it('plays an event, and refuses one that it does not understand', async () => {
    const cluster = await start({ scenario: join(SCENARIOS, 'minimal.yaml'), clock: new FakeClock() });
    await cluster.act({ action: 'crash', pod: 'db-0', code: 3 });
    const pod = cluster.store.get('pods', 'default', 'db-0');
    expect(pod?.status).toMatchObject({ containerStatuses: [{ state: { terminated: { exitCode: 3 } } }] });
    await expect(cluster.act({ action: 'explode' })).rejects.toThrow(/event is not valid: action/);
    await expect(cluster.act({ action: 'crash', pod: 'nobody' })).rejects.toThrow(
      'no pod nobody in namespace default',
    );
  });

  it('comes back on the same port after its server was stopped', async () => {
    const cluster = await start({ scenario: join(SCENARIOS, 'minimal.yaml') });
    await cluster.stopServer();
    await expect(get(cluster, '/version')).rejects.toThrow('ECONNREFUSED');
    await cluster.startServer();
    expect((await get(cluster, '/version')).status).toBe(200);
  });

  it('removes its temporary folder when it is closed', async () => {
    const cluster = await start({ scenario: join(SCENARIOS, 'minimal.yaml') });
    await cluster.close();
    await expect(readFile(cluster.kubeconfig)).rejects.toThrow('ENOENT');
  });
});
