import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capture } from '../../../../../test/support/cli/capture.ts';
import { CONFIG_KEYS } from '../config-file/keys.ts';
import { run } from '../run.ts';

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'logtool-show-'));
});
afterAll(() => rm(home, { recursive: true }));

async function config(line: string, env: Record<string, string> = {}, terminal = false) {
  const world = capture(['config', ...line.split(' ')], {
    home,
    env,
    terminal,
    overrides: { workingDirectory: home },
  });
  return { code: await run(world.context), stdout: world.stdout(), stderr: world.stderr() };
}
const rowsOf = (stdout: string) =>
  new Map(
    (JSON.parse(stdout) as { key: string; value: unknown; from: string }[]).map((row) => [
      row.key,
      [row.value, row.from],
    ]),
  );

test('config show without a file and variables is every key with its default', async () => {
  const { code, stdout, stderr } = await config('show -o json');
  expect([code, stderr]).toEqual([0, '']);
  expect([...rowsOf(stdout)]).toEqual(CONFIG_KEYS.map((key) => [key.path, [key.default, 'default']]));
});

test('config show says of each value whether it is from a variable, the file or the default', async () => {
  const path = join(home, 'mine.toml');
  await writeFile(path, '[commands.logs]\ntail = 20\nhead = 30\nkube-context = ""\n');
  const env = { LOGTOOL_CONFIG: 'mine.toml', LOGTOOL_HEAD: '40', LOGTOOL_COLOR: 'never', LOGTOOL_PORT: '' };
  const rows = rowsOf((await config('show -o json', env)).stdout);
  expect(rows.get('commands.logs.tail')).toEqual([20, path]);
  expect(rows.get('commands.logs.head')).toEqual(['40', 'LOGTOOL_HEAD']);
  expect(rows.get('commands.logs.kube-context')).toEqual(['', 'default']);
  expect(rows.get('commands.serve.port')).toEqual([7500, 'default']);
  expect(rows.get('--color')).toEqual(['never', 'LOGTOOL_COLOR']);
  // The flag overrides the variable that names the file.
  expect(rowsOf((await config('show -o json --config=other.yaml', env).then(failed)).stdout)).toEqual(
    new Map(),
  );
});

test('config show says of each value that a flag of its own line gives that it is from there', async () => {
  const path = join(home, 'flags.yaml');
  await writeFile(path, 'general:\n  kubeconfig: /stored\n');
  const env = { LOGTOOL_KUBECONFIG: '/variable', LOGTOOL_COLOR: 'never' };
  const line = 'show -o json -c flags.yaml --kubeconfig /given --in-cluster --color=always';
  const rows = rowsOf((await config(line, env)).stdout);
  expect(rows.get('general.kubeconfig')).toEqual(['/given', '--kubeconfig']);
  expect(rows.get('--color')).toEqual(['always', '--color']);
  expect(rows.get('--in-cluster')).toEqual(['true', '--in-cluster']);
  expect(rows.get('--config')).toEqual(['flags.yaml', '--config']);
  expect(rows.has('--output')).toBe(false);
});

/** Checks what a failed command reports, and replaces its output with an empty list. */
function failed(ended: { code: number; stdout: string; stderr: string }) {
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain('other.yaml');
  return { stdout: '[]' };
}

test("kubectl's variable applies if logtool has no kubeconfig of its own", async () => {
  const rows = (env: Record<string, string>) =>
    config('show -o json', env).then(({ stdout }) => rowsOf(stdout));
  expect((await rows({ KUBECONFIG: '/k' })).get('general.kubeconfig')).toEqual(['/k', 'KUBECONFIG']);
  const both = await rows({ KUBECONFIG: '/k', LOGTOOL_KUBECONFIG: '/l' });
  expect(both.get('general.kubeconfig')).toEqual(['/l', 'LOGTOOL_KUBECONFIG']);
});

test('the table is for people: no password, nothing that a terminal obeys', async () => {
  const env = { LOGTOOL_CHART_REPO: 'https://ada:secret@charts.lan', LOGTOOL_TIMEZONE: '\x1b[31mred' };
  const { stdout } = await config('show', env, true);
  expect(stdout).toContain('https://ada:***@charts.lan');
  expect(stdout).toMatch(/^commands\.logs\.columns +timestamp,dot +default$/m);
  expect(stdout).not.toMatch(/secret|\x1b/);
  for (const kind of ['json', 'yaml'])
    expect((await config(`show -o ${kind}`, env)).stdout).not.toContain('secret');
});

test('config path prints the effective file, and reports on stderr if it is missing', async () => {
  expect(await config('path')).toEqual({
    code: 0,
    stdout: `${join(home, '.logtool/config.yaml')}\n`,
    stderr: 'note: there is no such file: logtool config init writes one\n',
  });
  expect((await config('path -c absent.toml')).stderr).toBe(
    `note: there is no such file: logtool config init --path ${join(home, 'absent.toml')} writes one\n`,
  );
  const path = join(home, 'there.yaml');
  await writeFile(path, '');
  expect(await config('path -c there.yaml', { LOGTOOL_CONFIG: 'x' })).toEqual({
    code: 0,
    stdout: `${path}\n`,
    stderr: '',
  });
  expect((await config('path', { LOGTOOL_CONFIG: '~/x.toml' })).stdout).toBe(`${join(home, 'x.toml')}\n`);
});

test('config path prints the path unchanged to a script, and escaped to a terminal', async () => {
  const env = { LOGTOOL_CONFIG: '/none/\x1b[2J' };
  expect((await config('path', env)).stdout).toBe('/none/\x1b[2J\n');
  expect((await config('path', env, true)).stdout).toBe('/none/^[[2J\n');
});
