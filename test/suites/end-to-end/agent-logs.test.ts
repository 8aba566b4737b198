import { existsSync } from 'node:fs';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { EXIT, Stop } from '@logtool/logtool/src/cli/exit-codes.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AggregatedLogs } from '../../support/agent-api/aggregated-logs.ts';
import { capture } from '../../support/cli/capture.ts';

const LINES = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`);
const READS = { apiGroups: [''], resources: ['pods', 'pods/log', 'nodes'], verbs: ['get', 'list', 'watch'] };
const READS_AGENTS = { apiGroups: ['logtool.dev'], resources: ['pods/log'], verbs: ['get'] };

let logs: AggregatedLogs;
beforeAll(async () => {
  logs = await AggregatedLogs.start({
    nodes: ['node-1'],
    users: [
      { name: 'reader', rules: [READS] },
      { name: 'agent-reader', rules: [READS, READS_AGENTS] },
    ],
    workloads: ['web', 'live', 'moved'].map((name) => ({
      kind: 'Pod',
      namespace: 'shop',
      name,
      containers: [{ name: 'app', lines: LINES.slice(0, 100) }],
    })),
  });
});
afterAll(() => logs?.close());

function world(user: string, ...argv: string[]) {
  const given = ['logs', '--kubeconfig', logs.cluster.kubeconfig, `--context=${user}`, '-n', 'shop', ...argv];
  return capture(given, { overrides: { clock: systemClock } });
}

async function read(user: string, ...argv: string[]) {
  const { context, stdout, stderr } = world(user, ...argv);
  const code = await run(context);
  return { code, messages: stdout().split('\n').slice(0, -1), stderr: stderr() };
}

/** Rotates the log of a pod after each hundred lines, so that the newest file has the last hundred. */
async function fillFiles(pod: string): Promise<void> {
  const { control } = logs.cluster;
  for (const from of [100, 200]) {
    await control.rotateLog({ namespace: 'shop', pod });
    for (const text of LINES.slice(from, from + 100))
      await control.writeLines({ namespace: 'shop', pod, text });
  }
}

describe.runIf(existsSync('/proc/self/fd'))('--backend auto', () => {
  test('reads all files of the node, where the log API has the newest one', async () => {
    await fillFiles('web');
    const all = await read('agent-reader', 'web', '--all', '--raw', '--backend=auto');
    expect(all).toEqual({ code: 0, messages: LINES, stderr: '' });
    const newest = await read('agent-reader', 'web', '--all', '--raw');
    expect(newest.messages).toEqual(LINES.slice(200));
    const tail = await read('agent-reader', 'web', '--tail=150', '--raw', '--backend=auto');
    expect(tail).toEqual({ code: 0, messages: LINES.slice(150), stderr: '' });
  });

  test('follows a log over rotations', async () => {
    const { context, stdout, written, controller } = world(
      'agent-reader',
      'live',
      '-f',
      '--all',
      '--raw',
      '--backend=auto',
    );
    const ended = run(context);
    await written('line 100\n');
    await fillFiles('live');
    await written('line 300\n');
    controller.abort(new Stop(EXIT.interrupted, 'interrupted'));
    await ended;
    expect(stdout().split('\n').slice(0, -1)).toEqual(LINES);
  });

  test('without the permission, reads the log API and says so once', async () => {
    await fillFiles('moved');
    const { code, messages, stderr } = await read('reader', 'moved', '--all', '--raw', '--backend=auto');
    expect([code, messages]).toEqual([0, LINES.slice(200)]);
    expect(stderr).toBe(
      'you lack permission to get pods/log of logtool.dev in namespace shop: logtool does not read the files that nodes rotated away\n',
    );
  });

  test('of a node whose agent is away, reads the log API and says so once', async () => {
    await logs.killAgent('node-1');
    const { code, messages, stderr } = await read(
      'agent-reader',
      'moved',
      '--all',
      '--raw',
      '--backend=auto',
    );
    expect([code, messages]).toEqual([0, LINES.slice(200)]);
    expect(stderr).toBe(
      "logtool's agent on node node-1 does not answer: logtool does not read the files that the node rotated away\n",
    );
  });

  test('in a cluster without the API, reads the log API and says so once', async () => {
    logs.cluster.store.remove('apiservices.apiregistration.k8s.io', undefined, 'v1alpha1.logtool.dev');
    const { code, messages, stderr } = await read(
      'agent-reader',
      'moved',
      '--all',
      '--raw',
      '--backend=auto',
    );
    expect([code, messages]).toEqual([0, LINES.slice(200)]);
    expect(stderr).toBe(
      "logtool's API is not installed in this cluster: logtool does not read the files that nodes rotated away\n",
    );
  });
});
