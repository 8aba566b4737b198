import type { SimCluster } from '@logtool/simcluster/src/start.ts';
import { expect, onTestFinished, test } from 'vitest';
import { serveProcess } from '../../support/dashboard/served-process.ts';
import { consolePath, copyEverything, heldLines, lastLine, rowWith } from './console-page.ts';
import { eventually } from './eventually.ts';
import { openVisit } from './visit.ts';
import { openWorld } from './world.ts';

const PODS = 50;
const SOURCE = 'shop:deployments/many';
const world = openWorld({
  serve: 'apart',
  scenario: {
    startDelays: 'none',
    namespace: 'shop',
    namespaces: ['shop'],
    nodes: [
      { name: 'a', pods: 40 },
      { name: 'b', pods: 40 },
    ],
    users: [{ name: 'somebody' }],
    workloads: [
      { kind: 'Deployment', name: 'many', replicas: PODS, containers: [{ name: 'app', lines: ['up'] }] },
    ],
  },
});

/** Writes batches of lines of all pods. Each line has a time of its own after all others, so that one order is right. */
function writerOf(cluster: SimCluster, pods: readonly (string | undefined)[]) {
  const written: string[] = [];
  let batch = 0;
  let lastMicros = 0;
  const nextTime = () => {
    lastMicros = Math.max(Date.now() * 1_000, lastMicros + 1);
    const micros = String(lastMicros % 1_000_000).padStart(6, '0');
    return `${new Date(Math.floor(lastMicros / 1_000)).toISOString().slice(0, 19)}.${micros}Z`;
  };
  const write = async () => {
    batch += 1;
    for (let line = 0; line < 6; line++) {
      for (const [index, pod = ''] of pods.entries()) {
        const text = `pod ${index} batch ${batch} line ${line}`;
        written.push(text);
        const where = { namespace: 'shop', pod, container: 'app' };
        await cluster.writeLog(where, { bytes: Buffer.from(text), at: nextTime() });
      }
    }
  };
  return { written, write };
}

test('50 containers stream through faults: the page holds every line once, in order', async () => {
  const { cluster, browser } = world;
  const server = await serveProcess(cluster.kubeconfig);
  onTestFinished(() => server.remove());
  const { page } = await openVisit(browser, server.origin, consolePath([SOURCE]), {
    allows: [/Failed to load resource/, /ERR_/],
  });
  await rowWith(page, 'up').waitFor();
  await eventually(() => heldLines(page)).toBe(PODS);

  const pods = cluster.store.list('pods', 'shop').map(({ metadata }) => metadata.name);
  expect(pods).toHaveLength(PODS);
  const { written, write } = writerOf(cluster, pods);
  const faults: readonly (() => Promise<unknown>)[] = [
    () => cluster.control.cutLogs({ how: 'reset' }),
    () => cluster.control.cutLogs({ how: 'end' }),
    () => cluster.control.dropWatches(),
    () => server.kill().then(server.start),
    () => cluster.control.restartServer(),
    async () => cluster.inject({ kind: 'truncate-json', times: 3, afterBytes: 200 }),
    async () => cluster.inject({ kind: 'split', times: 20, chunkBytes: 7 }),
    () => server.kill().then(write).then(server.start),
    () =>
      cluster.control
        .killServer()
        .then(write)
        .then(() => cluster.startServer()),
    () => cluster.control.cutLogs({ how: 'reset' }),
  ];
  const connection = page.getByRole('status', { name: 'Connection' });
  for (const fault of faults) {
    await write();
    await fault();
    await write();
    await eventually(() => connection.getAttribute('data-connection')).toBe('live');
  }
  await write();
  await eventually(() => heldLines(page), 90_000).toBe(PODS + written.length);
  await eventually(() => lastLine(page)).toBe(written.at(-1));

  const copied = (await copyEverything(page)).filter((line) => line.includes(' batch '));
  expect([...copied].sort()).toEqual([...written].sort());
  expect(copied).toEqual(written);
  // The page reports what happened.
  expect(server.outputText).not.toMatch(/"level":"error"/);
});
