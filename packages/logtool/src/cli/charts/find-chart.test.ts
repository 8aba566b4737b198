import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHARTS_IN_PROCESS } from '@logtool/helm/src/render/charts-in-process.ts';
import { type Home, makeHome } from '@logtool/helm/test/support/home.ts';
import {
  guarded,
  packed,
  repositoryFiles,
  startRepository,
} from '@logtool/helm/test/support/repository-server.ts';
import { type Clock, FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, it } from 'vitest';
import { capture } from '../../../../../test/support/cli/capture.ts';
import { rejectingWithMessage } from '../../../../../test/support/with-message.ts';
import { parseCommandLine } from '../flags/find-command.ts';
import { planInstall, planUpgrade } from '../plan/cluster/plan-cluster.ts';
import { findChart } from './find-chart.ts';
import { chartsOnDemand } from './with-charts.ts';

const FILES = repositoryFiles('logtool', ['90.1.0', '90.2.0', '91.0.0-rc.1']);
const NOWHERE = 'http://127.0.0.1:1';
/** No test uses the network: the proxy does not exist. */
const OFFLINE = { HTTPS_PROXY: NOWHERE, NO_PROXY: '127.0.0.1' };

interface Found {
  readonly version: string;
  readonly lines: readonly string[];
}

async function find(
  home: Home,
  command: string,
  env: Readonly<Record<string, string>> = {},
  mayAdd = command.startsWith('cluster install'),
  clock: Clock = new FakeClock(),
): Promise<Found> {
  const { context } = capture([], {
    home: home.path,
    env: { ...OFFLINE, ...env },
    overrides: { clock },
  });
  const planChart = command.startsWith('cluster install') ? planInstall : planUpgrade;
  const plan = await planChart(context, parseCommandLine(command.split(' ')));
  const lines: string[] = [];
  const reporter = {
    line: (text: string) => lines.push(text),
    progress: () => {},
    onProgress: () => {},
    onHookLog: async () => {},
    end: async () => {},
  };
  const chart = await findChart(
    context,
    plan,
    reporter,
    chartsOnDemand(() => CHARTS_IN_PROCESS),
    mayAdd,
  );
  return { version: chart.metadata.version, lines };
}

const filesBelow = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

const bundledVersion = async () =>
  /^version: (.*)$/m.exec(
    await readFile(join(import.meta.dirname, '../../../../../charts/logtool/Chart.yaml'), 'utf8'),
  )?.[1] ?? '';

it("takes the bundled chart where logtool's own repository does not answer, and says so in a line", async () => {
  await using home = await makeHome();
  const version = await bundledVersion();
  const { lines, ...found } = await find(home, 'cluster install');
  expect(found.version).toBe(version);
  expect(lines).toEqual([
    expect.stringMatching(
      /^the chart repository https:\/\/logtool\.github\.io\/logtool does not answer \(.*ECONNREFUSED.*\): using the bundled chart, logtool \S+$/,
    ),
  ]);
  expect(await home.repositories.list()).toEqual([]);
});

it('reports that a repository the user set cannot be saved', async () => {
  await using home = await makeHome();
  await using server = await startRepository(FILES);
  // A file replaces the folder: nothing can be created in it.
  await writeFile(join(home.path, '.cache'), '');
  const asked = find(home, 'cluster install', { LOGTOOL_CHART_REPO: server.url });
  await expect(asked).rejects.toMatchObject({ code: 'repository-file-not-writable' });
});

it('takes the bundled chart only where it is the version asked for', async () => {
  await using home = await makeHome();
  const version = await bundledVersion();
  expect((await find(home, `cluster install --version ${version}`)).version).toBe(version);
  expect((await find(home, 'cluster install --version <90')).version).toBe(version);
  await expect(rejectingWithMessage(find(home, 'cluster install --version ^90'))).rejects.toMatchObject({
    code: 'chart-version-not-found',
    why: expect.stringContaining(version),
  });
  await expect(find(home, 'cluster install --version abc')).rejects.toMatchObject({
    code: 'bad-version-range',
  });
});

it.each([
  ['nothing is published there', 404, /does not answer \(the server answered 404 /],
  ['it is broken', 503, /does not answer \(the server answered 503 /],
])(
  'uses the bundled chart if an address that the user set does not answer: %s',
  async (_, status, reported) => {
    await using server = await startRepository({
      '/index.yaml': (_request, response) => {
        response.statusCode = status;
        response.end();
      },
    });
    await using home = await makeHome();
    const { lines, version } = await find(home, 'cluster install', { LOGTOOL_CHART_REPO: server.url });
    expect(version).toBe(await bundledVersion());
    expect(lines).toEqual([expect.stringMatching(reported)]);
  },
);

it('uses the bundled chart if an address that the user set answers with a web page', async () => {
  await using server = await startRepository({ '/index.yaml': '<!doctype html><title>Sign in</title>' });
  await using home = await makeHome();
  const { lines, version } = await find(home, 'cluster install', { LOGTOOL_CHART_REPO: server.url });
  expect(version).toBe(await bundledVersion());
  expect(lines).toEqual([
    `the chart repository ${server.url}/ answers with a web page, such as one to sign in: using the bundled chart, logtool ${version}`,
  ]);
  expect(await home.repositories.list()).toEqual([]);
});

it('leaves a repository with a password or a broken index to the user who set it', async () => {
  await using home = await makeHome();
  await using server = await startRepository({ '/index.yaml': guarded(String(FILES['/index.yaml'])) });
  await expect(find(home, 'cluster install', { LOGTOOL_CHART_REPO: server.url })).rejects.toMatchObject({
    code: 'repository-answer',
  });
  server.files.set('/index.yaml', 'apiVersion: v1\nentries: 7\n');
  await expect(find(home, 'cluster install', { LOGTOOL_CHART_REPO: server.url })).rejects.toMatchObject({
    code: 'repository-index-invalid',
  });
});

it('waits 5 s for a repository that is silent', async () => {
  await using home = await makeHome();
  let arrived = () => {};
  const request = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  await using server = await startRepository({ '/index.yaml': () => arrived() });
  const clock = new FakeClock();
  const found = find(home, 'cluster install', { LOGTOOL_CHART_REPO: server.url }, true, clock);
  await request;
  await clock.advance(5_000);
  expect((await found).lines).toEqual([
    expect.stringMatching(/does not answer \(it sent nothing for 5 s\): using the bundled chart/),
  ]);
});

it('adds the repository whose address is known, and takes its newest chart, or the one asked for', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  const env = { LOGTOOL_CHART_REPO: server.url };
  expect(await find(home, 'cluster install', env)).toEqual({
    version: '90.2.0',
    lines: [
      `added the repository logtool: ${server.url}/`,
      'using the chart of the repository logtool, logtool 90.2.0',
    ],
  });
  expect((await home.repositories.list()).map(({ name, url }) => [name, url])).toEqual([
    ['logtool', server.url],
  ]);
  expect((await find(home, 'cluster upgrade')).version).toBe('90.2.0');
  expect((await find(home, 'cluster upgrade --version ~90.1')).version).toBe('90.1.0');
  expect((await find(home, 'cluster upgrade --version >=91.0.0-0')).version).toBe('91.0.0-rc.1');
  await expect(find(home, 'cluster upgrade --version 1')).rejects.toMatchObject({
    code: 'chart-version-not-found',
  });
});

it('checks for newer charts only in an update', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  await home.repositories.add({ name: 'logtool', url: server.url });
  for (const [path, file] of Object.entries(repositoryFiles('logtool', ['92.0.0'])))
    server.files.set(path, file);
  expect((await find(home, 'cluster upgrade')).version).toBe('90.2.0');
  await home.repositories.update('logtool');
  expect((await find(home, 'cluster upgrade')).version).toBe('92.0.0');
});

it('uses the repository in a dry run, and does not add it', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  const env = { LOGTOOL_CHART_REPO: server.url };
  expect(await find(home, 'cluster install --dry-run', env)).toEqual({
    version: '90.2.0',
    lines: [
      `would add the repository logtool: ${server.url}/`,
      'using the chart of the repository logtool, logtool 90.2.0',
    ],
  });
  expect(await home.repositories.list()).toEqual([]);
  expect(await filesBelow(home.path)).toEqual([]);
});

it('neither asks a repository in an upgrade that has none, nor offline', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  const version = await bundledVersion();
  const env = { LOGTOOL_CHART_REPO: server.url };
  for (const command of ['cluster upgrade', 'cluster install --repo-offline']) {
    expect((await find(home, command, env)).version).toBe(version);
  }
  expect(server.seen).toEqual([]);
  expect(await home.repositories.list()).toEqual([]);
});

it("reports that the user's repository does not answer, and uses the bundled chart", async () => {
  await using home = await makeHome();
  const version = await bundledVersion();
  const { lines, ...found } = await find(home, 'cluster install', { LOGTOOL_CHART_REPO: NOWHERE });
  expect(found.version).toBe(version);
  expect(lines).toEqual([
    `the chart repository ${NOWHERE}/ does not answer (connect ECONNREFUSED 127.0.0.1:1): using the bundled chart, logtool ${version}`,
  ]);
  expect(await home.repositories.list()).toEqual([]);
});

it('takes a chart that was downloaded once without a network', async () => {
  await using home = await makeHome();
  {
    await using server = await startRepository(FILES);
    await home.repositories.add({ name: 'logtool', url: server.url });
    await find(home, 'cluster upgrade --version 90.1.0');
  }
  expect((await find(home, 'cluster upgrade --version 90.1.0')).version).toBe('90.1.0');
  const { version, lines } = await find(home, 'cluster upgrade');
  expect(version).toBe(await bundledVersion());
  expect(lines).toEqual([
    expect.stringMatching(
      /^cannot download chart logtool 90\.2\.0 .*ECONNREFUSED.*: using the bundled chart, /,
    ),
  ]);
});

it('does not take the chart of the package in place of one that is not what the index means', async () => {
  await using server = await startRepository({
    ...FILES,
    '/logtool-90.2.0.tgz': packed('logtool', '66.6.6'),
  });
  await using home = await makeHome();
  await home.repositories.add({ name: 'logtool', url: server.url });
  await expect(find(home, 'cluster upgrade')).rejects.toMatchObject({ code: 'chart-digest-wrong' });
});
