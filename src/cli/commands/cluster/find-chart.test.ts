import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Home, makeHome } from '../../../helm/repository/testing/home.ts';
import {
  packed,
  repositoryFiles,
  startRepository,
} from '../../../helm/repository/testing/repository-server.ts';
import { parseCommandLine } from '../../flags/find-command.ts';
import { planCluster } from '../../plan/cluster-plan.ts';
import { capture } from '../../testing/capture.ts';
import { findChart } from './find-chart.ts';

const FILES = repositoryFiles('logtool', ['90.1.0', '90.2.0', '91.0.0-rc.1']);
const NOWHERE = 'http://127.0.0.1:1';

interface Found {
  readonly version: string;
  readonly lines: readonly string[];
}

async function find(
  home: Home,
  command: string,
  env: Readonly<Record<string, string>> = {},
  mayAdd = command.startsWith('cluster install'),
): Promise<Found> {
  const { context } = capture([], { home: home.path, env });
  const plan = await planCluster(context, parseCommandLine(command.split(' ')));
  const lines: string[] = [];
  const reporter = {
    line: (text: string) => lines.push(text),
    onProgress: () => {},
    onHookLog: async () => {},
    end: async () => {},
  };
  const chart = await findChart(context, plan, reporter, mayAdd);
  return { version: chart.metadata.version, lines };
}

const bundledVersion = async () =>
  /^version: (.*)$/m.exec(
    await readFile(join(import.meta.dirname, '../../../../charts/logtool/Chart.yaml'), 'utf8'),
  )?.[1] ?? '';

it('takes the chart of the package where there is no repository', async () => {
  await using home = await makeHome();
  const version = await bundledVersion();
  expect(await find(home, 'cluster install')).toEqual({
    version,
    lines: [`using the chart of the package, logtool ${version}`],
  });
  expect((await find(home, `cluster install --version ${version}`)).version).toBe(version);
  expect((await find(home, 'cluster install --version <90')).version).toBe(version);
  await expect(find(home, 'cluster install --version ^90')).rejects.toMatchObject({
    code: 'chart-version-not-found',
    why: expect.stringContaining(version),
  });
  await expect(find(home, 'cluster install --version abc')).rejects.toMatchObject({
    code: 'bad-version-range',
  });
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

it('looks for newer charts in an update only', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  await home.repositories.add({ name: 'logtool', url: server.url });
  for (const [path, file] of Object.entries(repositoryFiles('logtool', ['92.0.0'])))
    server.files.set(path, file);
  expect((await find(home, 'cluster upgrade')).version).toBe('90.2.0');
  await home.repositories.update('logtool');
  expect((await find(home, 'cluster upgrade')).version).toBe('92.0.0');
});

it('neither adds a repository in an upgrade, nor in a dry run, nor offline', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  const version = await bundledVersion();
  const env = { LOGTOOL_CHART_REPO: server.url };
  for (const command of ['cluster upgrade', 'cluster install --dry-run', 'cluster install --repo-offline']) {
    expect((await find(home, command, env)).version).toBe(version);
  }
  expect(server.seen).toEqual([]);
  expect(await home.repositories.list()).toEqual([]);
});

it('says that the repository cannot be reached, and takes the chart of the package', async () => {
  await using home = await makeHome();
  const version = await bundledVersion();
  const { lines, ...found } = await find(home, 'cluster install', { LOGTOOL_CHART_REPO: NOWHERE });
  expect(found.version).toBe(version);
  expect(lines[0]).toMatch(/cannot download the index .*ECONNREFUSED/);
  expect(lines[1]).toBe(`using the chart of the package, logtool ${version}`);
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
  expect(lines[0]).toMatch(/cannot download chart logtool 90\.2\.0 .*ECONNREFUSED/);
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
