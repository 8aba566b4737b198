import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubectl, kubectlPath } from '../../../../../test/support/oracles/kubectl.ts';
import {
  type ExtensionHandler,
  type ExtensionServer,
  startAggregated,
  startExtensionServer,
  untilAvailable,
  untilFreshness,
} from '../../../test/support/extension-server.ts';
import {
  aggregationRecording,
  answering,
  recordedCommand,
} from '../../../test/support/recorded-aggregation.ts';
import type { SimCluster } from '../../start.ts';

/** The real kubectl with an extension that answers as the recorded one: it must print what it printed then. */
let extension: ExtensionServer;
let cluster: SimCluster;
beforeAll(async () => {
  extension = await startExtensionServer(answering(aggregationRecording('group-version')));
  extension.handle = containerLogs;
  ({ cluster } = await startAggregated(extension));
});
afterAll(async () => {
  await cluster.close();
  await extension.kill();
});

const OBJECTS = JSON.parse(aggregationRecording('list').response.body ?? '').items as readonly {
  readonly metadata: { readonly name: string };
}[];
const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';
const BASE = '/apis/logtool.dev/v1alpha1';

/** A small API server: lists, single objects, tables and a watch of containerlogs. */
const containerLogs: ExtensionHandler = (request, response) => {
  const url = new URL(request.url, 'https://extension');
  const name = /\/containerlogs\/(.+)$/.exec(url.pathname)?.[1];
  const asTable = request.headers.accept?.includes('as=Table') === true;
  if (url.searchParams.get('watch') === 'true') {
    response.setHeader('content-type', 'application/json');
    for (const bytes of [1003, 1004]) response.write(`${JSON.stringify(watchEvent(bytes))}\n`);
    return;
  }
  if (name !== undefined) {
    const object = OBJECTS.find(({ metadata }) => metadata.name === name);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(object));
    return;
  }
  if (url.pathname === BASE) return answering(aggregationRecording('group-version'))(request, response);
  if (url.pathname.endsWith('/pods')) return answering(aggregationRecording('not-found'))(request, response);
  answering(aggregationRecording(asTable ? 'list-table' : 'list'))(request, response);
};

function watchEvent(bytes: number) {
  const table = JSON.parse(aggregationRecording('list-table').response.body ?? '');
  const [first] = table.rows;
  const row = { ...first, cells: [first.cells[0], bytes, ...first.cells.slice(2)] };
  return { type: 'MODIFIED', object: { ...table, columnDefinitions: null, rows: [row] } };
}

async function run(line: string) {
  const args = line
    .replace(/^kubectl /, '')
    .split(' ')
    .map((token) => token.replaceAll("'", ''));
  const { stdout, stderr, exitCode } = await kubectl(args, cluster);
  return { stdout: stdout.toString(), stderr, exitCode };
}

/** The age depends on how long the recorder, and this test, took. */
function ageless(table: string): string {
  return table.replace(/\S+\n$/, 'AGE\n');
}

/** Runs a recorded command, and returns what it prints beside what was recorded. */
async function rerun(name: string) {
  const { command, stdout, stderr, exitCode } = recordedCommand(name);
  return { printed: await run(command), recorded: { stdout, stderr, exitCode } };
}

test.each([
  'kubectl-get',
  'kubectl-get-all-namespaces',
  'kubectl-get-categories',
  'kubectl-get-json-path',
  'kubectl-get-name',
  'kubectl-get-short',
  'kubectl-get-wide',
  'kubectl-api-resources',
  'kubectl-pods-ambiguous',
])('%s prints what it printed with a real cluster', async (name) => {
  const { printed, recorded } = await rerun(name);
  expect(printed).toEqual(recorded);
});

test('get -w shows what the extension sends, with the requests of a real cluster', async () => {
  const before = extension.seenOfClients.length;
  const { stdout, exitCode } = await run('get containerlogs -n truth -w --request-timeout=3s');
  const recorded = recordedCommand('kubectl-get-watch').stdout.split('\n').slice(0, 6);
  expect([stdout.trimEnd().split('\n'), exitCode]).toEqual([recorded, 0]);
  expect(extension.seenOfClients.slice(before).map(({ path }) => path)).toEqual([
    `${BASE}/namespaces/truth/containerlogs?limit=500&timeout=3s`,
    `${BASE}/namespaces/truth/containerlogs?resourceVersion=1002&timeout=3s&watch=true`,
  ]);
});

test('get --raw has the bytes of the extension', async () => {
  const { stdout } = await run(`get --raw ${BASE}/namespaces/truth/containerlogs`);
  expect(stdout).toBe(aggregationRecording('list').response.body);
});

test('get apiservices shows its service', async () => {
  const { printed, recorded } = await rerun('kubectl-apiservices');
  expect(ageless(printed.stdout)).toBe(ageless(recorded.stdout));
});

test('get apiservices lists those of the server itself too', async () => {
  const { stdout } = await run('get apiservices');
  expect(stdout).toMatch(/^NAME +SERVICE +AVAILABLE +AGE\n/);
  expect(stdout).toMatch(/^v1\. +Local +True +\S+$/m);
  expect(stdout).toMatch(/^v1\.apps +Local +True +\S+$/m);
  expect(stdout).toMatch(/^v2\.autoscaling +Local +True +\S+$/m);
  expect(stdout).toMatch(/^v1alpha1\.logtool\.dev +truth\/logtool-api +True +\S+$/m);
});

test('a definition has an APIService of its own, as long as it is there', async () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'rollouts.argoproj.io' },
    spec: {
      group: 'argoproj.io',
      scope: 'Namespaced',
      names: { plural: 'rollouts', singular: 'rollout', kind: 'Rollout' },
      versions: [{ name: 'v1alpha1', served: true }],
    },
  };
  cluster.store.create(DEFINITIONS, definition);
  expect((await run('get apiservices')).stdout).toMatch(/^v1alpha1\.argoproj\.io +Local +True +\S+$/m);
  cluster.store.remove(DEFINITIONS, undefined, definition.metadata.name);
  expect((await run('get apiservices')).stdout).not.toContain('argoproj');
});

test('get --raw shows a stream as it comes, and the extension learns that kubectl was stopped', async () => {
  const opened = new Promise<{ write(text: string): void; closed: Promise<unknown> }>((resolve) => {
    extension.handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      resolve({ write: (text) => void response.write(text), closed: once(response, 'close') });
    };
  });
  const child = spawn(await kubectlPath(), ['get', '--raw', `${BASE}/namespaces/truth/pods/web-1/log`], {
    env: { KUBECONFIG: cluster.kubeconfig, HOME: dirname(cluster.kubeconfig) },
  });
  const stream = await opened;
  for (const line of ['one\n', 'two\n']) {
    stream.write(line);
    const [chunk] = await once(child.stdout, 'data');
    expect(String(chunk)).toBe(line);
  }
  child.kill();
  await stream.closed;
  extension.handle = containerLogs;
});

test('apply, patch and delete of an APIService', async () => {
  const manifest = (service: string) =>
    JSON.stringify({
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1.other.dev' },
      spec: {
        group: 'other.dev',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { namespace: 'truth', name: service },
      },
    });
  const file = `${cluster.kubeconfig}-apiservice.json`;
  await writeFile(file, manifest('nothing'));
  expect((await run(`apply -f ${file}`)).stdout).toBe(
    'apiservice.apiregistration.k8s.io/v1.other.dev created\n',
  );
  expect(
    (await run('wait apiservice v1.other.dev --for=condition=Available=False --timeout=10s')).exitCode,
  ).toBe(0);
  expect((await run('get apiservice v1.other.dev')).stdout).toMatch(
    /truth\/nothing +False \(ServiceNotFound\)/,
  );
  await writeFile(file, manifest('logtool-api'));
  expect((await run(`apply -f ${file}`)).exitCode).toBe(0);
  expect((await run('wait apiservice v1.other.dev --for=condition=Available --timeout=10s')).exitCode).toBe(
    0,
  );
  expect((await run('api-versions')).stdout).toContain('other.dev/v1\n');
  expect((await run('delete apiservice v1.other.dev')).exitCode).toBe(0);
  expect((await run('api-versions')).stdout).not.toContain('other.dev/v1\n');
});

describe('while no server is there', () => {
  beforeAll(async () => {
    cluster.store.update('endpointslices.discovery.k8s.io', 'truth', 'logtool-api', (slice) => {
      slice.endpoints = [];
      return undefined;
    });
    await untilAvailable(cluster, 'MissingEndpoints');
    await untilFreshness(cluster, 'Stale');
  });

  test('get of its resources says so, with a warm cache', async () => {
    const { printed, recorded } = await rerun('down/kubectl-get-containerlogs');
    expect(printed).toEqual(recorded);
  });

  test('get apiservices shows the reason', async () => {
    const { printed, recorded } = await rerun('down/kubectl-apiservices');
    expect(ageless(printed.stdout)).toBe(ageless(recorded.stdout));
  });

  test('other resources are as ever', async () => {
    expect(await run('get pods -n truth')).toMatchObject({ exitCode: 0, stdout: '' });
    const { printed, recorded } = await rerun('down/kubectl-unknown');
    expect(printed).toEqual(recorded);
    expect(await run('api-resources --api-group=apps')).toMatchObject({ exitCode: 0, stderr: '' });
  });
});
