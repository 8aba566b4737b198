import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { Agent, request as send } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startHttp2Server } from '../../support/connection/http2-server.ts';
import { readKubeconfigFile } from '../../support/kubeconfig-file.ts';
import { type BuiltCli, buildCli } from '../../support/program/build-cli.ts';

const PODS = 12;
/** The single file uses another runtime, whose HTTP/2 client loses data. */
const isSingleFile = process.env.LOGTOOL_TEST_PROGRAM !== undefined;
const READ = ['get', 'list', 'watch'];

let cli: BuiltCli;
let cluster: SimCluster;
beforeAll(async () => {
  [cli, cluster] = await Promise.all([
    buildCli(),
    startSimCluster({
      scenario: {
        startDelays: 'none',
        nodes: [{ name: 'node-a' }],
        users: [
          {
            name: 'dev',
            rules: [
              { resources: ['pods', 'pods/log'], verbs: READ },
              { apiGroups: ['apps'], resources: ['deployments', 'replicasets'], verbs: READ },
            ],
          },
        ],
        workloads: [
          {
            kind: 'Deployment',
            name: 'web',
            replicas: PODS,
            containers: [{ name: 'app', lines: [{ text: 'line {n}', repeat: 500 }] }],
          },
        ],
      },
    }),
  ]);
});
afterAll(async () => {
  await cluster?.close();
  await cli?.remove();
});

/** Starts a proxy that records connections; it returns no log before all were requested. */
async function startFront() {
  const agent = new Agent({ rejectUnauthorized: false, keepAlive: true });
  const held: (() => void)[] = [];
  const front = await startHttp2Server((incoming, outgoing) => {
    const { authorization = '', accept = '*/*' } = incoming.headers;
    const pass = () =>
      send(new URL(incoming.url ?? '', cluster.server), { agent, headers: { authorization, accept } })
        .on('response', (answer) => {
          outgoing.writeHead(answer.statusCode ?? 0, { 'content-type': answer.headers['content-type'] });
          answer.pipe(outgoing);
        })
        .on('error', () => outgoing.destroy())
        .end();
    if (!incoming.url?.includes('/log')) return void pass();
    held.push(pass);
    if (held.length >= PODS) for (const one of held.splice(0)) one();
  });
  onTestFinished(async () => {
    agent.destroy();
    await front.close();
  });
  return front;
}

test.each([
  ['many logs share a connection, but for those of the single file', {}, isSingleFile ? 0 : 1],
  ['DISABLE_HTTP2 gives each a connection of its own', { DISABLE_HTTP2: '1' }, 0],
])('%s', async (_name, env, shared) => {
  const front = await startFront();
  const config = await readKubeconfigFile(cluster.kubeconfig);
  config['current-context'] = 'dev';
  const authority = Buffer.from(front.certificate.cert).toString('base64');
  config.clusters[0]!.cluster = { server: front.url, 'certificate-authority-data': authority };
  const kubeconfig = join(cli.folder, `kubeconfig-${front.port}`);
  await writeFile(kubeconfig, JSON.stringify(config));
  const [file, ...args] = cli.command;
  const argv = [...args, 'logs', 'deployments/web', '--all', '--raw', '--kubeconfig', kubeconfig];
  const { stdout, stderr } = await promisify(execFile)(file, argv, {
    env: { PATH: process.env.PATH, HOME: cli.folder, ...env },
  });
  expect(stderr).toBe('');
  expect(stdout.trimEnd().split('\n')).toHaveLength(PODS * 500);
  expect(front.sessions).toHaveLength(shared);
});
