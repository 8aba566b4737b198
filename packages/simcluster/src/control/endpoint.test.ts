import { resolve } from 'node:path';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { type SimCluster, startSimCluster } from '../start.ts';
import { type Control, startControl } from './endpoint.ts';

const MINIMAL = resolve(import.meta.dirname, '../../../../scenarios/minimal.yaml');
let cluster: SimCluster | undefined;
let control: Control | undefined;

afterEach(async () => {
  await control?.close();
  await cluster?.close();
});

async function open(): Promise<{
  cluster: SimCluster;
  ask: (line: string, body?: unknown, headers?: object) => Promise<{ status: number; body: unknown }>;
}> {
  cluster = await startSimCluster({ scenario: MINIMAL, clock: new FakeClock() });
  const running = await startControl(cluster);
  control = running;
  return {
    cluster,
    async ask(line, body, headers = {}) {
      const [method = 'GET', path = '/'] = line.split(' ');
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const init = { method, headers: { ...headers }, ...(body === undefined ? {} : { body: text }) };
      const response = await fetch(`${running.url}${path}`, init);
      return { status: response.status, body: await response.json() };
    },
  };
}

describe('the control endpoint', () => {
  it('plays events', async () => {
    const { cluster: sim, ask } = await open();
    expect(await ask('POST /events', [{ action: 'oom', pod: 'db-0' }])).toEqual({
      status: 200,
      body: { done: true },
    });
    expect(sim.store.get('pods', 'default', 'db-0')?.status).toMatchObject({
      containerStatuses: [{ state: { terminated: { reason: 'OOMKilled' } } }],
    });
  });

  it('injects and clears faults, and lists the requests seen', async () => {
    const { cluster: sim, ask } = await open();
    expect((await ask('POST /faults', { kind: 'status', status: 503, match: '/version' })).status).toBe(200);
    expect((await ask('GET /requests')).body).toEqual({ requests: [], faultsHit: 0 });
    expect((await ask('DELETE /faults')).status).toBe(200);
    expect(sim.faultsHit).toBe(0);
  });

  it('calls the functions of the control', async () => {
    const { ask } = await open();
    expect(await ask('POST /control/writeLines', { pod: 'db-0', text: 'now', count: 2 })).toMatchObject({
      status: 200,
      body: { result: [{ pod: 'db-0', count: 2 }] },
    });
    expect(await ask('POST /control/scale', { workload: 'statefulsets/db', replicas: 0 })).toEqual({
      status: 200,
      body: { result: null },
    });
    expect(await ask('POST /control/dropWatches')).toEqual({ status: 200, body: { result: { dropped: 0 } } });
    expect(await ask('POST /control/cutLogs', { match: '(' })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('match: not a regular expression') },
    });
    expect(await ask('POST /control/scale', { workload: 'x', replicas: 1, extra: 1 })).toMatchObject({
      status: 400,
      body: { code: 'call-invalid' },
    });
    expect(await ask('POST /control/toString', {})).toMatchObject({ status: 404 });
    expect(await ask('GET /control/killServer')).toMatchObject({ status: 404 });
  });

  it('says what is wrong with what it was sent', async () => {
    const { ask } = await open();
    expect(await ask('POST /events', '{')).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('not JSON') },
    });
    expect(await ask('POST /events', { action: 'crash', pod: 'nobody' })).toMatchObject({
      status: 400,
      body: { error: 'no pod nobody in namespace default' },
    });
    expect(await ask('POST /faults', { kind: 'nonsense' })).toMatchObject({
      status: 400,
      body: { code: 'fault-invalid' },
    });
    expect(await ask('GET /nothing')).toMatchObject({ status: 404 });
  });

  it('refuses web pages', async () => {
    const { ask } = await open();
    expect(await ask('DELETE /faults', undefined, { origin: 'https://example.com' })).toMatchObject({
      status: 403,
    });
  });
});
