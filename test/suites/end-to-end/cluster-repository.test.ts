import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  guarded,
  type RepositoryServer,
  redirectTo,
  startRepository,
} from '@logtool/helm/test/support/repository-server.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HELM_VERSIONS } from '../../support/oracles/helm.ts';
import { type ClusterProgram, startClusterProgram } from '../../support/program/cluster-program.ts';
import { selfSigned } from '../../support/tls-server/certificates.ts';
import { chartFiles } from './chart-versions.ts';

/* logtool's chart from a repository: from the address to the objects in the cluster. */
const CERTIFICATE = selfSigned();
const BASIC = `Basic ${Buffer.from('ada:s3cret').toString('base64')}`;

let program: ClusterProgram;
let server: RepositoryServer;
let authority = '';
beforeEach(async () => {
  program = await startClusterProgram();
  server = await startRepository(await chartFiles(['90.1.0']), CERTIFICATE);
  authority = join(program.home, 'ca.pem');
  await writeFile(authority, CERTIFICATE.cert);
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await program.close();
});

/** Runs a command that must succeed. */
async function done(line: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const ran = await program.run(line, env);
  expect(`${line.join(' ')}: ${ran.code} ${ran.stderr}`).toMatch(/: 0 /);
  return ran;
}
async function publish(versions: readonly string[]): Promise<void> {
  for (const [path, file] of Object.entries(await chartFiles(versions))) server.files.set(path, file);
}
/** Returns the dashboard's image in the cluster; its tag is the chart's version. */
function image(): string | undefined {
  const deployment = program.sim.store.get('deployments.apps', 'logtool', 'logtool');
  const { spec } = (deployment ?? {}) as {
    spec?: { template: { spec: { containers: { image: string }[] } } };
  };
  return spec?.template.spec.containers[0]?.image;
}
const records = () => program.sim.store.list('secrets', 'logtool').map(({ metadata }) => metadata.name);

test('install adds the repository, upgrade takes what update has found, and helm sees it all', async () => {
  const env = { LOGTOOL_CHART_REPO: server.url, NODE_EXTRA_CA_CERTS: authority };
  const installed = await done(['install'], env);
  expect(installed.stderr).toMatch(
    /^added the repository logtool: https:\/\/127\.0\.0\.1:\d+\/\nusing the chart of the repository logtool, logtool 90\.1\.0\n/,
  );
  expect(image()).toBe('ghcr.io/logtool/logtool:90.1.0');

  await publish(['90.1.0', '90.2.0', '91.0.0-rc.1']);
  const before = await done(['upgrade'], env);
  expect(before.stdout).toMatch(/^logtool-90\.1\.0 \(revision 1\) -> logtool-90\.1\.0 \(revision 2\)\n/);
  const updated = await done(['repo', 'update'], env);
  expect(updated.stdout).toMatch(/^updated the repository logtool: .*\nnewest chart: logtool 90\.2\.0\n$/);
  const after = await done(['upgrade'], env);
  expect(after.stdout).toMatch(/^logtool-90\.1\.0 \(revision 2\) -> logtool-90\.2\.0 \(revision 3\)\n/);
  expect(image()).toBe('ghcr.io/logtool/logtool:90.2.0');

  for (const version of HELM_VERSIONS) {
    const listed = await program.helm(version, 'list', '-n', 'logtool', '-o', 'json');
    expect(JSON.parse(listed)).toMatchObject([
      { revision: '3', status: 'deployed', chart: 'logtool-90.2.0' },
    ]);
    const known = await program.helm(version, 'repo', 'list', '-o', 'json');
    expect(JSON.parse(known)).toEqual([{ name: 'logtool', url: server.url }]);
  }
  expect((await done(['repo', 'remove'])).stdout).toBe('removed the repository logtool\n');
  expect(JSON.parse(await program.helm('4.1.4', 'repo', 'list', '-o', 'json'))).toEqual([]);
  await done(['uninstall']);
  expect([image(), records()]).toEqual([undefined, []]);
});

test('user, password and authority of the repository are used for the index and the chart', async () => {
  for (const [path, file] of server.files) server.files.set(path, guarded(file as string | Uint8Array));
  const refused = await program.run(['repo', 'add', server.url, '--ca-file', authority]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--username')]);
  const login = ['--username', 'ada', '--password', 's3cret', '--ca-file', authority];
  await done(['repo', 'add', server.url, ...login]);
  await done(['install']);
  expect(image()).toBe('ghcr.io/logtool/logtool:90.1.0');
  expect(server.seen.map(({ path, authorization }) => [path, authorization])).toEqual([
    ['/index.yaml', undefined],
    ['/index.yaml', BASIC],
    ['/logtool-90.1.0.tgz', BASIC],
  ]);
});

test('a chart that is sent on to another origin comes without the credentials', async () => {
  await using other = await startRepository(await chartFiles(['90.1.0']));
  const path = '/logtool-90.1.0.tgz';
  server.files.set(path, redirectTo(`${other.url}${path}`));
  const login = ['--username', 'ada', '--password', 's3cret', '--ca-file', authority];
  await done(['repo', 'add', server.url, ...login]);
  await done(['install']);
  expect(image()).toBe('ghcr.io/logtool/logtool:90.1.0');
  expect(server.seen.at(-1)).toEqual({ path, authorization: BASIC });
  expect(other.seen).toEqual([{ path, authorization: undefined }]);
});

test('a chart with another digest than the index says is refused before the cluster is asked to change anything', async () => {
  await done(['repo', 'add', server.url, '--ca-file', authority]);
  const [, forged] = Object.entries(await chartFiles(['90.2.0']))[1] ?? [];
  server.files.set('/logtool-90.1.0.tgz', forged as Uint8Array);
  const from = program.sim.calls.length;
  for (const line of [['install'], ['install', '--dry-run']]) {
    const { code, stdout, stderr } = await program.run(line);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^error: chart logtool 90\.1\.0 does not match its digest in the index\n {2}why: its SHA-256 is [0-9a-f]{64}, not [0-9a-f]{64}\n {2}next: run logtool cluster repo update and try again; .*\n$/,
    );
  }
  expect(program.sim.calls.slice(from)).toEqual([]);
  expect(await readdir(join(program.home, '.cache/helm/repository'))).not.toContain('logtool-90.1.0.tgz');
  // The index also applies to a cached chart.
  await publish(['90.1.0']);
  await done(['install']);
  await writeFile(join(program.home, '.cache/helm/repository/logtool-90.1.0.tgz'), forged as Uint8Array);
  await done(['upgrade']);
  expect(image()).toBe('ghcr.io/logtool/logtool:90.1.0');
});

test('without a network, and with --repo-offline, the bundled chart is used', async () => {
  const own = /using the bundled chart, logtool (\S+)\n/;
  const env = { LOGTOOL_CHART_REPO: server.url, NODE_EXTRA_CA_CERTS: authority };
  const offline = await done(['install', '--repo-offline'], env);
  expect(server.seen).toEqual([]);
  const [, version] = own.exec(offline.stderr) ?? [];
  expect(image()).toBe(`ghcr.io/logtool/logtool:${version}`);
  await done(['uninstall']);

  await server[Symbol.asyncDispose]();
  const only = await done(['install'], env);
  expect(only.stderr).toMatch(
    /^the chart repository https:\S+ does not answer \(connect ECONNREFUSED .*\): using the bundled chart, logtool .*\n/,
  );
  expect(image()).toBe(`ghcr.io/logtool/logtool:${version}`);
  const known = await program.run(['repo', 'update'], env);
  expect([known.code, known.stderr]).toEqual([1, expect.stringContaining('there is no repository')]);
});
