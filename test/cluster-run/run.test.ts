import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { NAMESPACES } from '../../src/kube/builtin-resources.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { type SimCluster, startSimCluster } from '../../src/simcluster/start.ts';
import { openClient } from '../conformance/cluster.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const OWN = /^logtool-test-/;

let cluster: SimCluster;
let client: KubeClient;

beforeAll(async () => {
  cluster = await startSimCluster({
    scenario: { nodes: [{ name: 'node-a' }], namespaces: ['default'], workloads: [] },
  });
  client = await openClient(cluster.kubeconfig);
});

afterAll(async () => {
  client?.close();
  await cluster?.close();
});

async function madeNamespaces(): Promise<string[]> {
  const names: string[] = [];
  for await (const { items } of client.list(NAMESPACES, {})) {
    names.push(...items.map(({ metadata }) => metadata.name).filter((name) => OWN.test(name)));
  }
  return names;
}

function start(...args: readonly string[]) {
  const { PATH, HOME } = process.env;
  const child = spawn(
    process.execPath,
    [join(ROOT, 'scripts/run-ts.mjs'), 'test/cluster-run/run.ts', ...args],
    { cwd: ROOT, env: { PATH, HOME } },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  let look = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk;
      look();
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, said }));
  const until = (words: string) =>
    Promise.race([
      new Promise<void>((done) => {
        look = () => said.includes(words) && done();
        look();
      }),
      ended.then((end) => expect(end).toBe(`still running, and to say ${words}`)),
    ]);
  return { child, ended, until };
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s during a run removes its namespace: exit code %d', async (signal, expected) => {
  const run = start('--kubeconfig', cluster.kubeconfig);
  // The tests have begun: their first words.
  await run.until('RUN');
  expect(await madeNamespaces()).toHaveLength(1);
  run.child.kill(signal);
  const { code, said } = await run.ended;
  expect({ code, left: await madeNamespaces() }).toEqual({ code: expected, left: [] });
  expect(said).toMatch(/^removing namespace logtool-test-\S+$/m);
});

test('a namespace whose making was not answered any more is removed', async () => {
  cluster.inject({ kind: 'drop-answer', match: '^POST /api/v1/namespaces', times: 1 });
  const run = start('--kubeconfig', cluster.kubeconfig);
  const { code, said } = await run.ended;
  expect({ code, left: await madeNamespaces() }).toEqual({ code: 1, left: [] });
  expect(said).toMatch(/^test:cluster: /m);
});

test('a kubeconfig that is not there is wrong usage', async () => {
  const { code, said } = await start('--kubeconfig', '/nowhere/kubeconfig').ended;
  expect({ code, said }).toEqual({ code: 2, said: expect.stringContaining('/nowhere/kubeconfig') });
});
