import { existsSync } from 'node:fs';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AggregatedLogs } from '../../../../../test/support/agent-api/aggregated-logs.ts';

/** Two replicas of the API of logtool, which the API server asks in turn. */
let logs: AggregatedLogs;
let clock: FakeClock;
let second: number;
beforeEach(async () => {
  clock = new FakeClock(Date.now());
  logs = await AggregatedLogs.start({
    nodes: ['node-1'],
    clock,
    workloads: [
      { kind: 'Pod', namespace: 'shop', name: 'web', containers: [{ name: 'app', lines: ['first'] }] },
    ],
  });
  second = await logs.startReplica();
});
afterEach(() => logs.close());

const listed = async () => (await logs.kubectl(['get', 'containerlogs', '-n', 'shop'])).stdout.toString();

describe.runIf(existsSync('/proc/self/fd'))('with two replicas', () => {
  test('get -w lists at one and watches at another without an error', async () => {
    // Both know the list before it is watched.
    for (let asked = 0; asked < 4; asked++) await expect.poll(listed).toMatch(/^web /m);
    await clock.advance(10_000);
    const watches = [];
    for (let started = 0; started < 4; started++) {
      const watched = await logs.start(['get', 'containerlogs', '-n', 'shop', '-w']);
      await expect.poll(watched.text).toMatch(/^web /m);
      watches.push(watched);
      // One request more, so that the next watch begins at the other replica.
      if (started % 2 === 1) await listed();
    }
    await logs.cluster.control.writeLines({ namespace: 'shop', pod: 'web', text: ['second'] });
    for (const watched of watches) {
      await expect.poll(() => watched.text().match(/^web /gm)?.length).toBe(2);
      expect(watched.errors()).toBe('');
      watched.kill();
      await watched.ended;
    }
  });

  test('a namespace is deleted, and logs are read, while the replicas are killed in turn', async () => {
    let replicas = [logs.apiPort, second];
    for (let turn = 0; turn < 4; turn++) {
      const name = `brief-${turn}`;
      logs.cluster.store.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      const deleted = logs.kubectl(['delete', 'namespace', name, '--timeout=60s']);
      const [killed = 0, kept = 0] = replicas;
      await logs.killReplica(killed);
      expect((await logs.log('shop/pods/web/log')).stdout.toString()).toBe('first\n');
      expect(await deleted).toMatchObject({ exitCode: 0, stderr: '' });
      replicas = [kept, await logs.startReplica()];
    }
  });
});
