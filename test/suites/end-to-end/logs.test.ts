import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { Stop } from '@logtool/logtool/src/cli/exit-codes.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Capture, capture } from '../../support/cli/capture.ts';
import { expectGolden } from '../../support/cli/golden.ts';
import { CLUSTER_ERRORS } from './cluster-errors.ts';

let cluster: SimCluster;

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/minimal.yaml' });
});
afterAll(() => cluster?.close());

function world(...argv: string[]): Capture {
  return capture(['logs', '--kubeconfig', cluster.kubeconfig, ...argv], {
    overrides: { clock: systemClock },
  });
}

async function logs(...argv: string[]) {
  const { context, stdout, stderr } = world(...argv);
  const code = await run(context);
  return { code, stdout: stdout(), stderr: stderr() };
}

const ready = (n: number) => `database system is ready to accept connections ${n}`;

test('the last records of a stateful set, as a table', async () => {
  const { code, stdout, stderr } = await logs('statefulsets/db', '--tail=3');
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toBe(`${'TIMESTAMP'.padEnd(30)}  MESSAGE`);
  expect(lines.slice(1).map((line) => line.slice(32))).toEqual([ready(23), ready(24), ready(25)]);
});

test('the first records, raw', async () => {
  expect(await logs('statefulsets/db', '--head=2', '--raw')).toEqual({
    code: 0,
    stdout: `${ready(1)}\n${ready(2)}\n`,
    stderr: '',
  });
});

test('records of two pods in one order of time', async () => {
  const { stdout } = await logs('deployments/web', '--all', '-o', 'json');
  const all = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(all.map((each) => each.message)).toEqual(
    ['GET /healthz 200', 'GET /cart 200', 'GET /checkout 500'].flatMap((message) => [message, message]),
  );
  expect(new Set(all.map((each) => each.pod)).size).toBe(2);
});

test('--first shows the first record that passes the filters', async () => {
  const found = await logs(
    'statefulsets/db',
    'deployments/web',
    '--first',
    '--grep=checkout|cart',
    '--force',
    '--raw',
  );
  expect(found).toEqual({ code: 0, stdout: 'GET /cart 200\n', stderr: '' });
  const none = await logs('statefulsets/db', '--first', '--grep=no such text', '--force', '--raw');
  expect([none.code, none.stdout]).toEqual([0, '']);
});

describe('--count', () => {
  test('records by time and level, and those that pass a filter', async () => {
    const range = ['--since=2026-11-21T10:00:00Z', '--before=2026-11-21T10:00:04Z', '--bucket=1s'];
    const { code, stdout, stderr } = await logs('deployments/web', '--all-containers', '--count', ...range);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      [
        'FROM                  INFO  NONE  RECORDS',
        '2026-11-21T10:00:00Z     2     2        4',
        '2026-11-21T10:00:01Z     0     2        2',
        '2026-11-21T10:00:02Z     0     2        2',
        '2026-11-21T10:00:03Z     0     0        0',
        'total                    2     6        8',
        '',
      ].join('\n'),
    );
    const csv = await logs(
      'deployments/web',
      '--all-containers',
      '--count',
      ...range,
      '-ocsv',
      '--grep=c(art|heckout)',
      '--force',
    );
    expect(csv.stderr).toBe('');
    expect(csv.stdout.split('\r\n').slice(0, 3)).toEqual([
      'from,fatal,error,warn,info,debug,trace,none,matches,records',
      '2026-11-21T10:00:00Z,0,0,0,0,0,0,0,0,4',
      '2026-11-21T10:00:01Z,0,0,0,0,0,0,2,2,2',
    ]);
  });

  test('as JSON, of the whole log, in buckets that fit', async () => {
    const { code, stdout } = await logs('statefulsets/db', '--count', '-ojson');
    expect(code).toBe(0);
    const { records, matches, buckets, incomplete } = JSON.parse(stdout);
    expect([records, matches, incomplete]).toEqual([25, 25, []]);
    expect(buckets.length).toBeLessThanOrEqual(60);
    expect(buckets.reduce((sum: number, bucket: { records: number }) => sum + bucket.records, 0)).toBe(25);
  });

  test('an unreadable source is an error, and the others are counted', async () => {
    const { code, stdout, stderr } = await logs(
      'default:pods/*',
      'shop:pods/*',
      '--as=reader',
      '--count',
      '-ojson',
    );
    expect(code).toBe(1);
    expect(stderr).toContain('error: ');
    expect(JSON.parse(stdout).records).toBeGreaterThan(25);
  });

  test('nothing that passes is a failure where that was asked', async () => {
    expect((await logs('statefulsets/db', '--count', '--level=fatal', '--fail-empty')).code).toBe(1);
  });
});

test('walking the pages in either direction shows every record exactly once', async () => {
  const walk = async (mode: string, next: RegExp) => {
    const pages: string[][] = [];
    let from: string[] = [];
    for (;;) {
      const { stdout, stderr } = await logs(
        'deployments/web/*',
        mode,
        '--columns=pod',
        '--hide-header',
        '--with-cursors',
        ...from,
      );
      pages.push(stdout.trimEnd().split('\n'));
      const found = next.exec(stderr);
      if (found === null) {
        expect(stderr).toContain('--- End of logs ---');
        return pages;
      }
      from = [found[1] ?? '', found[2] ?? ''];
    }
  };
  const all = (await logs('deployments/web/*', '--all', '--columns=pod', '--hide-header')).stdout
    .trimEnd()
    .split('\n');
  expect((await walk('--head=3', /Next page: (--after) (\S+)/)).flat()).toEqual(all);
  expect((await walk('--tail=3', /Prev page: (--before) (\S+)/)).reverse().flat()).toEqual(all);
});

test('rule 4.3.7: --all with --follow is all records and then what comes', async () => {
  const { context, stdout } = world('hello', '--all', '--follow', '--raw');
  // The pod has ended, so following it ends by itself.
  expect(await run(context)).toBe(0);
  expect(stdout()).toBe('one\ntwo\nthree\n');
  // A separate cluster: the other tests count the lines of theirs.
  const own = await startSimCluster({ scenario: 'scenarios/minimal.yaml' });
  onTestFinished(() => own.close());
  const live = world('statefulsets/db', '--all', '--follow', '--raw', '--kubeconfig', own.kubeconfig);
  const ended = run(live.context);
  await live.written(ready(25));
  const line = 'behind all of them';
  const where = { namespace: 'default', pod: 'db-0', container: 'postgres' };
  await own.writeLog(where, { bytes: Buffer.from(line) });
  await live.written(line);
  live.controller.abort(new Stop(130, 'interrupted'));
  expect(await ended).toBe(130);
  const lines = live.stdout().trimEnd().split('\n');
  expect(lines.slice(0, 25)).toEqual(Array.from({ length: 25 }, (_, index) => ready(index + 1)));
  expect(lines.at(-1)).toBe(line);
});

describe('rule 4.3.9: filters of source pods narrow them before any log is read', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['--region=eu-west-1', 'node-a,node-b'],
    ['--zone=eu-west-1b', 'node-b'],
    ['--os=linux', 'node-a,node-b'],
    ['--arch=amd64', 'node-a'],
    ['--node=node-b', 'node-b'],
    ['--zone=eu-west-1a,eu-west-1b', 'node-a,node-b'],
  ];
  test.each(cases)('%s keeps the pod of %s', async (flag, nodes) => {
    const { code, stdout, stderr } = await logs('deployments/web', flag, '--all', '-o', 'json', '--debug');
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text));
    const requested = [...stderr.matchAll(/\/pods\/([\w-]+)\/log\?/g)].map(([, pod]) => pod);
    expect(code).toBe(0);
    expect([...new Set(records.map((each) => each.node))].sort().join()).toBe(nodes);
    expect([...new Set(requested)].sort()).toEqual([...new Set(records.map((each) => each.pod))].sort());
  });
});

test('following shows what comes after the backlog', async () => {
  const { context, stdout, written, controller } = world(
    'hello-not-there',
    'statefulsets/db',
    '--follow',
    '--tail=1',
    '--raw',
  );
  const ended = run(context);
  const line = 'written while following';
  await written(ready(25));
  await cluster.writeLog(
    { namespace: 'default', pod: 'db-0', container: 'postgres' },
    { bytes: Buffer.from(line) },
  );
  await written(line);
  controller.abort(new Stop(130, 'interrupted'));
  expect(await ended).toBe(130);
  expect(stdout()).toBe(`${ready(25)}\n${line}\n`);
});

describe('errors of the cluster', () => {
  test.each(CLUSTER_ERRORS)('%s', async (name, argv) => {
    const { code, stdout, stderr } = await logs(...argv);
    expect([stdout, code === 0]).toEqual(['', false]);
    expectGolden(
      `cluster-errors/${name}.txt`,
      stderr.replaceAll(cluster.kubeconfig, 'KUBECONFIG').replaceAll(cluster.server, 'SERVER'),
    );
  });
});
