import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectGolden } from '../../support/cli/golden.ts';
import { TINY, writeChart } from '../../support/helm/tiny-chart.ts';
import { advised, type ClusterProgram, startClusterProgram } from '../../support/program/cluster-program.ts';

/* The real process while it waits: Ctrl-C on a terminal, signals on pipes, and the state it waits for. */
let program: ClusterProgram;
let tiny = '';
beforeAll(async () => {
  program = await startClusterProgram();
  tiny = await writeChart(join(program.home, 'tiny'), {
    ...TINY,
    'templates/slow.yaml':
      '{{- if .Values.slow }}\napiVersion: v1\nkind: Pod\nmetadata: {name: {{ .Release.Name }}-slow}\nspec: {nodeSelector: {slow: {{ .Release.Name }}}, containers: [{name: main, image: tools}]}\n{{- end }}\n',
  });
});
afterAll(() => program.close());

const named = (name: string) => ['--name', name, '-n', 'shop'];
const SLOW = ['--set', 'slow=true'];
const WAITING = '3 of 4 ready; ';

async function done(...line: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await program.run(line);
  expect(`${line.join(' ')}: ${code} ${stderr}`).toMatch(/: 0 /);
  return stdout;
}
async function revisions(name: string): Promise<readonly string[]> {
  const rows = JSON.parse(await done('history', ...named(name), '-o', 'json')) as {
    revision: number;
    status: string;
    description: string;
  }[];
  return rows.map(({ revision, status, description }) => `${revision} ${status}: ${description}`);
}

/** Runs a command on a terminal and types Ctrl-C once it has written `text`. */
async function interrupted(line: readonly string[], text: string) {
  let typed = false;
  const [screen] = await program.screens([line], (written, type) => {
    if (typed || !written.includes(text)) return;
    typed = true;
    type('\x03');
  });
  if (screen === undefined) throw new Error('no screen');
  return { ...screen, text: screen.text.replaceAll('\r\n', '\n').replaceAll(program.home, 'HOME') };
}

describe('Ctrl-C while it waits', () => {
  const uninstall = async (name: string) => {
    await done('install', ...named(name), '--chart', tiny);
    hold(name, ['example.org/hold']);
    return interrupted(['uninstall', '--any-chart', ...named(name)], '1 of 2 gone; ');
  };
  const hold = (name: string, finalizers: string[]) =>
    program.sim.store.update('configmaps', 'shop', `${name}-config`, (config) => {
      Object.assign(config.metadata, { finalizers });
      return undefined;
    });

  test('of an installation: 130, the release has failed, and what is advised works', async () => {
    const line = ['install', ...named('one'), '--chart', tiny, ...SLOW];
    const { code, text } = await interrupted(line, WAITING);
    expect(code).toBe(130);
    expectGolden('cluster/interrupted-install.txt', text);
    expect(await revisions('one')).toEqual(['1 failed: the installation of one failed: interrupted']);
    expect(await done('list', '--all', '-n', 'shop')).toMatch(/^one .* failed /m);
    const [repair = []] = advised(text);
    await done(...repair);
    await done('install', ...named('one'), '--chart', tiny);
    expect(await revisions('one')).toEqual(['1 deployed: Install complete']);
  });

  test('of an upgrade: 130, the revision before is still the deployed one, and what is advised works', async () => {
    await done('install', ...named('two'), '--chart', tiny);
    const { code, text } = await interrupted(
      ['upgrade', '--any-chart', ...named('two'), '--chart', tiny, ...SLOW],
      WAITING,
    );
    expect(code).toBe(130);
    expectGolden('cluster/interrupted-upgrade.txt', text);
    expect(await revisions('two')).toEqual([
      '1 deployed: Install complete',
      '2 failed: the upgrade of two failed: interrupted',
    ]);
    const [repair = []] = advised(text);
    await done(...repair);
    expect((await revisions('two')).at(-1)).toBe('3 deployed: Rollback to 1');
    expect(program.sim.store.get('pods', 'shop', 'two-slow')).toBeUndefined();
  });

  test('of an uninstallation: 130, and another one finishes it', async () => {
    const { code, text } = await uninstall('three');
    expect(code).toBe(130);
    expectGolden('cluster/interrupted-uninstall.txt', text);
    expect(await revisions('three')).toEqual(['1 failed: the uninstallation of three failed: interrupted']);
    hold('three', []);
    const [repair = []] = advised(text);
    await done(...repair);
    expect((await program.run(['status', ...named('three')])).code).toBe(1);
  });
});

describe('on pipes', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s: %d, and the release says so', async (signal, expected) => {
    const name = signal.toLowerCase();
    const [node = '', ...argv] = [...program.program, 'install', ...named(name), '--chart', tiny, ...SLOW];
    const child = spawn(node, argv, { env: program.env });
    let stderr = '';
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      const before = stderr;
      stderr += chunk;
      if (!before.includes(WAITING) && stderr.includes(WAITING)) child.kill(signal);
    });
    const [code] = await once(child, 'close');
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr).toContain(`error: the installation of ${name} was interrupted\n`);
    expect(await revisions(name)).toEqual([`1 failed: the installation of ${name} failed: interrupted`]);
  });
});

test('shows what it waits for until that is ready', async () => {
  let freed = false;
  const line = ['install', ...named('patient'), '--chart', tiny, ...SLOW];
  const [screen] = await program.screens([line], (written) => {
    if (freed || !written.includes(WAITING)) return;
    freed = true;
    program.sim.store.update('nodes', undefined, 'node-a', (node) => {
      Object.assign(node.metadata, { labels: { ...node.metadata.labels, slow: 'patient' } });
      return undefined;
    });
  });
  expect({ code: screen?.code, freed }).toEqual({ code: 0, freed: true });
  // The status line is gone.
  expectGolden(
    'cluster/waiting.txt',
    (screen?.text ?? '')
      .replaceAll('\r\n', '\n')
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, '2026-11-21 10:00:00'),
  );
});
