import { join } from 'node:path';
import {
  type Handler,
  type RepositoryServer,
  startRepository,
} from '@logtool/helm/test/support/repository-server.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectGolden } from '../../support/cli/golden.ts';
import { TINY, writeChart } from '../../support/helm/tiny-chart.ts';
import { type ClusterProgram, startClusterProgram } from '../../support/program/cluster-program.ts';
import { chartFiles } from './chart-versions.ts';
import { holdReleases } from './held-releases.ts';

/* The output of each command for a user at a terminal, and for a program on pipes. */
let program: ClusterProgram;
let server: RepositoryServer;
beforeEach(async () => {
  program = await startClusterProgram();
  server = await startRepository(await growingRepository());
  await writeChart(join(program.home, 'tiny'), TINY);
  await writeChart(join(program.home, 'broken'), {
    ...TINY,
    'templates/broken.yaml': 'a: {{ .Values.nothing.here }}\n',
  });
  await holdReleases(program.client);
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await program.close();
});

/**
 * A repository that gets a newer version after its index was read twice: for a dry run, and to add the
 * repository.
 */
async function growingRepository() {
  const old = await chartFiles(['90.1.0']);
  const files = await chartFiles(['90.1.0', '90.2.0']);
  let reads = 0;
  const index: Handler = (_request, response) => response.end((reads++ < 2 ? old : files)['/index.yaml']);
  return { ...files, ...old, '/index.yaml': index };
}

const named = (name: string) => ['--name', name, '-n', 'shop'];
const SESSIONS: Readonly<Record<string, () => readonly (readonly string[])[]>> = {
  release: () => [
    ['install'],
    ['install'],
    ['list', '-n', 'logtool'],
    ['list', '-n', 'logtool', '-o', 'json'],
    ['list', '-n', 'logtool', '-o', 'yaml'],
    ['status'],
    ['upgrade', '--set', 'dashboard.replicas=2'],
    ['history'],
    ['rollback'],
    ['rollback', '--revision=9'],
    ['uninstall', '--dry-run'],
    ['uninstall'],
    ['uninstall'],
    ['list', '-n', 'logtool'],
  ],
  repository: () => [
    ['repo', 'add'],
    ['install', '--dry-run', '--version=^91'],
    ['repo', 'add', 'oci://charts.example.com/logtool'],
    ['repo', 'add', 'http://127.0.0.1:1'],
    ['repo', 'update'],
    ['repo', 'add', server.url, '--dry-run'],
    ['repo', 'add', server.url],
    ['repo', 'add', server.url],
    ['repo', 'add', `${server.url}/other`],
    ['install', '--no-wait'],
    ['repo', 'update'],
    ['upgrade'],
    ['upgrade', '--version', '^91'],
    ['repo', 'remove', '--dry-run'],
    ['repo', 'remove'],
    ['repo', 'remove'],
    ['upgrade'],
    ['uninstall'],
  ],
  'dry-run': () => {
    const tiny = ['--chart', join(program.home, 'tiny'), ...named('tiny')];
    return [
      ['install', ...tiny, '--dry-run'],
      ['install', ...tiny],
      ['upgrade', ...tiny, '--dry-run', '--set', 'extra=true'],
      ['upgrade', ...tiny, '--any-chart', '--dry-run', '--set', 'extra=true'],
      ['upgrade', '--any-chart', ...named('tiny')],
      ['list', '-n', 'shop'],
      ['list', '--all', '-n', 'shop', '-o', 'json'],
      ['uninstall', '--any-chart', '--dry-run', ...named('tiny')],
      ['uninstall', '--any-chart', ...named('tiny')],
      ['list', '--all', '-n', 'shop', '-o', 'json'],
    ];
  },
  errors: () => [
    ['status', ...named('none')],
    ['upgrade', ...named('none')],
    ['rollback', ...named('none')],
    ...['new', 'old', 'back', 'leaving', 'over', 'broken'].flatMap((name) => [
      ['install', ...named(name)],
      ['upgrade', ...named(name)],
    ]),
  ],
  refusals: () => [
    ['install', ...named('No')],
    ['install', '--name=x', '-n', 'No'],
    ['install', '--version=9'],
    ['install', '--version=abc'],
    ['install', '--chart', join(program.home, 'none')],
    ['install', '-f', join(program.home, 'none')],
    ['install', '--set=nothing=1'],
    ['install', ...named('x'), '--chart', join(program.home, 'broken')],
    ['install', ...named('x'), '--kube-context=reader'],
    ['list', '--kube-context=reader'],
    ['install', '--no-create-namespace'],
    ['install', '--no-create-namespace', '--timeout=soon'],
  ],
};

/** Masks what differs between runs. */
function masked(text: string): string {
  return text
    .replaceAll(program.home, 'HOME')
    .replaceAll(program.sim.kubeconfig, 'KUBECONFIG')
    .replaceAll(program.sim.server, 'SERVER')
    .replaceAll(server.url, 'http://127.0.0.1:7600')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+ \+0000)? UTC/g, (_, fraction?: string) =>
      fraction === undefined ? '2026-11-21 10:00:00 UTC' : '2026-11-21 10:00:00.123 +0000 UTC',
    );
}

describe.each(Object.keys(SESSIONS))('%s', (name) => {
  const lines = () => SESSIONS[name]?.() ?? [];

  test('on a terminal', async () => {
    const screens = await program.screens(lines());
    const shown = lines().map(
      (line, index) =>
        `$ logtool cluster ${line.join(' ')}\n${screens[index]?.text}[exit ${screens[index]?.code}]\n`,
    );
    expectGolden(`cluster/${name}.terminal.txt`, masked(shown.join('\n')).replaceAll('\r\n', '\n'));
  });

  test('on pipes', async () => {
    const shown: string[] = [];
    for (const line of lines()) {
      const { code, stdout, stderr } = await program.run(line);
      const reported = stderr.replace(/^/gm, '2> ').replace(/2> $/, '');
      shown.push(`$ logtool cluster ${line.join(' ')}\n${reported}${stdout}[exit ${code}]\n`);
    }
    expect(shown.join('')).not.toMatch(/[\x1b\r]/);
    expectGolden(`cluster/${name}.pipe.txt`, masked(shown.join('\n')));
  });
});
