import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type BuiltCli, buildCli } from '../../support/program/build-cli.ts';
import { plain } from './follow-crowd.ts';
import { type RunningProgram, startProgram } from './start-program.ts';

const PODS = 6;
const READ = ['get', 'list', 'watch'];
const WORKLOADS = { apiGroups: ['apps'], resources: ['deployments', 'replicasets'], verbs: READ };
const RULES = [{ apiGroups: [''], resources: ['pods', 'pods/log'], verbs: READ }, WORKLOADS];
const NO_LOGS = [{ apiGroups: [''], resources: ['pods'], verbs: READ }, WORKLOADS];
const NAME = String.raw`default/web-\w+-\w+/app`;

let cli: BuiltCli;

beforeAll(async () => {
  cli = await buildCli();
});
afterAll(() => cli?.remove());

/** Starts the program, which follows all pods of a deployment, without a terminal. */
async function follow() {
  const cluster: SimCluster = await startSimCluster({
    scenario: {
      startDelays: 'none',
      nodes: [{ name: 'node-a' }],
      users: [{ name: 'dev', rules: RULES }],
      workloads: [
        { kind: 'Deployment', name: 'web', replicas: PODS, containers: [{ name: 'app', lines: ['up'] }] },
      ],
    },
  });
  onTestFinished(() => cluster.close());
  const { path } = await cluster.control.kubeconfigOf({ user: 'dev' });
  const program = await startProgram(cli, path, ['logs', 'deployments/web', '-f', '--all', '--columns=']);
  let stdout = '';
  program.child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const count = (text: string) => stdout.split('\n').filter((line) => line === text).length;
  const write = (text: string) => cluster.control.writeLines({ workload: 'deployments/web', text });
  return { cluster, program, count, write };
}

const eventually = (isSo: () => void) => vi.waitFor(isSo, { timeout: 100_000, interval: 50 });

const linesOf = (program: RunningProgram) => plain(program.stderr()).split('\n').slice(0, -1);

test('reports containers that are unreadable beside readable ones as one line at the beginning and one at the end', async () => {
  const { cluster, program, count, write } = await follow();
  await eventually(() => expect(count('up')).toBe(PODS));
  await cluster.control.setRules({ user: 'dev', rules: NO_LOGS });
  await cluster.control.cutLogs();
  await write('unread for a while');
  await eventually(() => expect(linesOf(program)).toHaveLength(1));
  await cluster.control.setRules({ user: 'dev', rules: RULES });
  await eventually(() => expect(linesOf(program)).toHaveLength(2));
  await eventually(() => expect(count('unread for a while')).toBe(PODS));
  program.child.kill('SIGINT');
  await program.ended;
  expect(linesOf(program)).toEqual([
    expect.stringMatching(/^cannot read 6 containers on node node-a for now, trying again: \S/),
    'reading 6 containers on node node-a again',
  ]);
});

test('what a rollout during an outage took is one line', async () => {
  const { cluster, program, count, write } = await follow();
  await eventually(() => expect(count('up')).toBe(PODS));
  await cluster.control.killServer();
  await write('never read');
  // A new pod replaces each of them.
  await cluster.control.deletePod({ workload: 'deployments/web', gracePeriodSeconds: 0 });
  await eventually(() => expect(linesOf(program)).toHaveLength(1));
  await cluster.startServer();
  await eventually(() => expect(count('up')).toBe(2 * PODS));
  await eventually(() => expect(linesOf(program)).toHaveLength(3));
  program.child.kill('SIGINT');
  await program.ended;
  const missing = String.raw`^! 6 containers: records from \S+ may be missing: the pod was deleted while the connection to its log was down`;
  expect(linesOf(program).toSorted()).toEqual([
    expect.stringMatching(new RegExp(`${missing} \\(${NAME}, ${NAME}, ${NAME} and 3 more\\)$`)),
    'Lost contact with the cluster, trying again: WHY',
    'Reconnected to the cluster',
  ]);
});
