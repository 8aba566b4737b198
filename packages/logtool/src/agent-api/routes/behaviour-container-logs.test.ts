import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AggregatedLogs, type FollowedLog } from '../../../../../test/support/agent-api/aggregated-logs.ts';

/** The real kubectl lists and watches runs through the simulated aggregation layer. */
const GROUP = { apiGroups: ['logtool.dev'], resources: ['containerlogs'], verbs: ['get', 'list', 'watch'] };
const CORE = [
  { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
  { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
];
const inShop = (rules: readonly object[]) => rules.map((rule) => ({ ...rule, namespace: 'shop' }));

let logs: AggregatedLogs;
beforeAll(async () => {
  const lines = ['one', 'two'];
  logs = await AggregatedLogs.start({
    nodes: ['node-1'],
    users: [
      { name: 'reader', rules: inShop([GROUP, ...CORE]) },
      { name: 'without-list', rules: inShop([GROUP, CORE[1]!]) },
      { name: 'without-log', rules: inShop([GROUP, CORE[0]!]) },
      { name: 'one-pod', rules: inShop([GROUP, CORE[0]!, { ...CORE[1], resourceNames: ['web'] }]) },
      { name: 'without-group', rules: inShop(CORE) },
    ],
    workloads: [
      {
        kind: 'Pod',
        namespace: 'shop',
        name: 'web',
        containers: [
          { name: 'app', lines },
          { name: 'side', lines },
        ],
      },
      {
        kind: 'Pod',
        namespace: 'bank',
        name: 'vault',
        containers: [{ name: 'app', lines: ['x'.repeat(3000)] }],
      },
    ],
  });
});
afterAll(() => logs.close());

async function printed(args: string, user?: string): Promise<string> {
  const { stdout, stderr } = await logs.kubectl(args.split(' '), user);
  return `${stdout}${stderr}`.replaceAll(/\b\d+s$/gm, 'AGE');
}
const until = (args: string, text: string | RegExp, user?: string) =>
  expect.poll(() => printed(args, user)).toMatch(text);

/** The bytes of all files of a container on its node. */
function bytesOf(pod: string, container: string): number {
  const root = join(logs.cluster.logDirectory, 'node-1');
  const folder = readdirSync(root).find((name) => name.startsWith(`shop_${pod}_`)) ?? '';
  const files = readdirSync(join(root, folder, container));
  return files.reduce((sum, file) => sum + statSync(join(root, folder, container, file)).size, 0);
}

async function items(args: string) {
  return JSON.parse((await logs.kubectl([...args.split(' '), '-o', 'json'])).stdout.toString()).items;
}

describe.runIf(existsSync('/proc/self/fd'))('kubectl', () => {
  test('get containerlogs prints each run with its size, its files and when it was last written to', async () => {
    await until('get containerlogs -n shop', /web +side/);
    const size = (container: string) => `${bytesOf('web', container)}   `.padEnd(7);
    expect(await printed('get containerlogs -n shop')).toBe(
      [
        'POD   CONTAINER   RUN   SIZE   FILES   LAST',
        `web   app         0     ${size('app')}1       AGE`,
        `web   side        0     ${size('side')}1       AGE`,
        '',
      ].join('\n'),
    );
    expect(await printed('get clog -n bank')).toMatch(/^vault +app +0 +3\.0Ki +1 +AGE$/m);
    expect(await printed('get containerlogs -A')).toMatch(
      /^NAMESPACE +POD .*\nbank +vault .*\n(?:logtool .*\n)*shop +web /,
    );
    expect(await printed('get containerlogs -n shop -o wide')).toMatch(/LAST +NODE +POD UID\n.* node-1 /);
    expect(await printed('get containerlogs -n nowhere')).toBe('No resources found in nowhere namespace.\n');
  });

  test('get -o json has the files, and when each begins', async () => {
    const [{ metadata, spec, status }] = await items('get containerlogs -n bank');
    const podUID = logs.cluster.store.get('pods', 'bank', 'vault')?.metadata.uid;
    expect(spec).toEqual({ podName: 'vault', podUID, nodeName: 'node-1', containerName: 'app', run: 0 });
    const bytes = status.files[0].bytes;
    expect(status).toEqual({
      bytes,
      files: [{ name: '0.log', bytes, compressed: false, firstTime: status.firstTime }],
      firstTime: expect.stringMatching(/^\d{4}-.*Z$/),
      lastTime: expect.stringMatching(/^\d{4}-.*Z$/),
      lastMinute: expect.stringMatching(/^\d{4}-.*:00Z$/),
      perMinute: expect.any(Array),
      errorsPerMinute: Array.from({ length: 30 }, () => 0),
    });
    const counted = (status.perMinute as number[]).reduce((sum, count) => sum + count);
    expect([status.perMinute.length, counted]).toEqual([30, 1]);
    expect(metadata.name).toBe(`vault.app.0.${String(podUID).slice(0, 8)}`);
    expect(await printed(`get containerlogs ${metadata.name} -n bank`)).toMatch(/\nvault +app +0 /);
    expect(await printed('get containerlogs other -n bank')).toBe(
      'Error from server (NotFound): containerlogs.logtool.dev "other" not found\n',
    );
  });

  test.each([
    ['spec.podName=web', ['web', 'web']],
    ['spec.podName!=web,metadata.namespace!=logtool', ['vault']],
    ['spec.podName==vault,spec.nodeName=node-1', ['vault']],
    ['spec.nodeName=node-2', []],
    ['metadata.namespace=bank', ['vault']],
  ])('get --field-selector=%s', async (selector, pods) => {
    const found = await items(`get containerlogs -A --field-selector=${selector}`);
    expect(found.map(({ spec }: { spec: { podName: string } }) => spec.podName)).toEqual(pods);
  });

  test('get with selectors that there are not says so', async () => {
    expect(await printed('get containerlogs -A --field-selector=status.bytes=1')).toContain(
      'field label not supported: status.bytes',
    );
    expect(await printed('get containerlogs -A -l app=web')).toContain('have no labels');
  });

  test('get -w prints what is written, rotated and removed, without a line twice', async () => {
    const watched = await logs.start(['get', 'containerlogs', '-n', 'shop', '-w', '-o', 'json']);
    const seen = () => objectsOf(watched);
    await expect.poll(() => seen().length).toBe(2);
    const target = { namespace: 'shop', pod: 'web', container: 'app' };
    await logs.cluster.control.writeLines({ ...target, text: ['three'] });
    await expect.poll(() => seen().at(-1)?.status.bytes).toBe(bytesOf('web', 'app'));
    await logs.cluster.control.rotateLog(target);
    await logs.cluster.control.writeLines({ ...target, text: ['four'] });
    await expect
      .poll(() => seen().at(-1)?.status)
      .toMatchObject({ bytes: bytesOf('web', 'app'), files: { length: 2 } });
    const versions = seen().map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`);
    expect(new Set(versions).size).toBe(versions.length);
    watched.kill();
    await watched.ended;
    await until('get containerlogs -n shop', /^web +app +0 +\d+ +2 /m);
  });

  test.each([
    [
      'without-list',
      'pods is forbidden: User "without-list" cannot list resource "pods" in API group "" in the namespace "shop"',
    ],
    [
      'without-log',
      'pods is forbidden: User "without-log" cannot get resource "pods/log" in API group "" in the namespace "shop"',
    ],
    [
      'one-pod',
      'pods is forbidden: User "one-pod" cannot get resource "pods/log" in API group "" in the namespace "shop"',
    ],
    [
      'without-group',
      'cannot list resource "containerlogs" in API group "logtool.dev" in the namespace "shop"',
    ],
  ])('as %s lists and watches nothing', async (user, error) => {
    for (const args of [
      'get containerlogs -n shop',
      'get containerlogs web.app.0.x -n shop',
      'get containerlogs -n shop -w',
    ]) {
      const { stdout, stderr, exitCode } = await logs.kubectl(args.split(' '), user);
      expect([stdout.toString(), exitCode]).toEqual(['', 1]);
      expect(stderr).toContain(user === 'without-group' && args.includes('web.') ? 'cannot get' : error);
    }
  });

  test('as a reader of one namespace lists that one', async () => {
    expect(await printed('get containerlogs -n shop', 'reader')).toMatch(/^web +app /m);
    for (const where of ['-n bank', '-A']) {
      expect(await printed(`get containerlogs ${where}`, 'reader')).toMatch(
        /^Error from server \(Forbidden\): /,
      );
    }
  });

  test('a pod that is gone leaves, and a node whose agent does not answer is named', async () => {
    await logs.cluster.control.deletePod({ namespace: 'bank', pod: 'vault' });
    await until('get containerlogs -n bank', /^No resources found/);
    await logs.killAgent('node-1');
    await until('get containerlogs -n shop', /^Warning: no answer from the agents of node-1: /m);
    expect(await printed('get containerlogs -n shop')).toMatch(/^web +app /m);
  });
});

/** The objects that kubectl has printed one after another. */
function objectsOf(watched: FollowedLog): readonly {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly status: { readonly bytes: number; readonly files: readonly unknown[] };
}[] {
  const complete = watched.text().split(/^\}$/m).slice(0, -1);
  return complete.map((text) => JSON.parse(`${text}}`));
}
