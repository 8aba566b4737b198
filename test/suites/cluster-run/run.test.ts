import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { NAMESPACES } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openClient } from '../../support/conformance/cluster.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const OWN = /^logtool-test-/;

let cluster: SimCluster;
let client: KubeClient;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logtool-run-'));
  cluster = await startSimCluster({
    scenario: { nodes: [{ name: 'node-a' }], namespaces: ['default'], workloads: [] },
  });
  client = await openClient(cluster.kubeconfig);
});

afterAll(async () => {
  client?.close();
  await cluster?.close();
  await rm(folder, { recursive: true, force: true });
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
    [join(ROOT, 'scripts/run/run-ts.mjs'), 'test/suites/cluster-run/run.ts', ...args],
    { cwd: ROOT, env: { PATH, HOME, TMPDIR: folder } },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let outputText = '';
  let check = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      outputText += chunk;
      check();
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, outputText }));
  const until = (text: string) =>
    Promise.race([
      new Promise<void>((done) => {
        check = () => outputText.includes(text) && done();
        check();
      }),
      ended.then((end) => expect(end).toBe(`still running, and to say ${text}`)),
    ]);
  return { child, ended, until };
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)(
  '%s during a run removes its namespace, and what its tests had in files: exit code %d',
  async (signal, expected) => {
    const before = cluster.requests.length;
    const run = start('--kubeconfig', cluster.kubeconfig);
    await run.until('RUN');
    // The tests have started: one of them creates an object.
    const isMaking = (request: string) => /^POST .*\/logtool-test-[^/]+\/pods/.test(request);
    await vi.waitFor(() => expect(cluster.requests.slice(before).some(isMaking)).toBe(true), {
      timeout: 100_000,
      interval: 100,
    });
    expect(await madeNamespaces()).toHaveLength(1);
    run.child.kill(signal);
    const { code, outputText } = await run.ended;
    expect({ code, left: await madeNamespaces() }).toEqual({ code: expected, left: [] });
    expect(await readdir(folder)).toEqual([]);
    expect(outputText).toMatch(/^removing namespace logtool-test-\S+$/m);
  },
);

test('removes a namespace whose creation got no answer', async () => {
  cluster.inject({ kind: 'drop-answer', match: '^POST /api/v1/namespaces', times: 1 });
  const run = start('--kubeconfig', cluster.kubeconfig);
  const { code, outputText } = await run.ended;
  expect({ code, left: await madeNamespaces() }).toEqual({ code: 1, left: [] });
  expect(outputText).toMatch(/^test:cluster: /m);
});

test('a missing kubeconfig is wrong usage', async () => {
  const { code, outputText } = await start('--kubeconfig', '/nowhere/kubeconfig').ended;
  expect({ code, outputText }).toEqual({
    code: 2,
    outputText: expect.stringContaining('/nowhere/kubeconfig'),
  });
});
