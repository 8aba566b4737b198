import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { capture } from '../../../../../test/support/cli/capture.ts';
import { run } from '../run.ts';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'logtool-init-'));
  onTestFinished(() => rm(home, { recursive: true }));
});

async function call(...argv: string[]) {
  const { context, stdout, stderr } = capture(argv, { home, overrides: { workingDirectory: home } });
  return { exit: await run(context), stdout: stdout(), stderr: stderr() };
}

const pathOf = (name: string) => join(home, '.logtool', name);

test('only --format toml writes config.toml, which is found as config.yaml is', async () => {
  expect(await call('config', 'init', '--format', 'toml')).toEqual({
    exit: 0,
    stdout: `wrote ${pathOf('config.toml')}\n`,
    stderr: '',
  });
  expect(await readFile(pathOf('config.toml'), 'utf8')).toContain('[commands.logs]');
  expect((await call('config', 'path')).stdout).toBe(`${pathOf('config.toml')}\n`);
  expect((await call('config', 'show')).stdout).toMatch(/commands\.logs\.tail +10 +\S+config\.toml\n/);
});

test('-c says where the file is written, and --path goes before it', async () => {
  expect((await call('config', 'init', '-c', 'mine.json')).stdout).toBe(`wrote ${join(home, 'mine.json')}\n`);
  expect(JSON.parse(await readFile(join(home, 'mine.json'), 'utf8'))).toMatchObject({ version: 1 });
  expect((await call('config', 'init', '-c', 'a.yaml', '--path=b.yaml')).stdout).toBe(
    `wrote ${join(home, 'b.yaml')}\n`,
  );
});

test('a name of one format does not take another', async () => {
  for (const flag of ['--path', '-c']) {
    const { exit, stderr } = await call('config', 'init', flag, 'x.json', '--format', 'toml');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('x.json cannot hold toml')]);
  }
  await expect(access(join(home, 'x.json'))).rejects.toThrow();
});

test('a second default file needs --force, and logtool keeps reading the first in the order', async () => {
  await call('config', 'init');
  const refused = await call('config', 'init', '--format=toml');
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('config.yaml already exists')]);
  const note = `note: logtool reads only ${pathOf('config.yaml')}; remove it to use ${pathOf('config.toml')}\n`;
  expect((await call('config', 'init', '--format=toml', '--force')).stderr).toBe(note);
  expect(await call('config', 'path')).toEqual({
    exit: 0,
    stdout: `${pathOf('config.yaml')}\n`,
    stderr: note,
  });
});

test('--force overwrites the file that is read, whatever its format', async () => {
  await call('config', 'init', '--format=toml');
  expect((await call('config', 'init')).stderr).toContain('config.toml already exists');
  await writeFile(pathOf('config.toml'), '# mine');
  expect(await call('config', 'init', '--force')).toEqual({
    exit: 0,
    stdout: `wrote ${pathOf('config.toml')}\n`,
    stderr: '',
  });
  expect(await readFile(pathOf('config.toml'), 'utf8')).toMatch(/^version = 1$/m);
});

test('--dry-run prints the file and writes nothing', async () => {
  const { exit, stdout, stderr } = await call('config', 'init', '--dry-run', '--format=json');
  expect([exit, stderr]).toEqual([0, `would write ${pathOf('config.json')}\n`]);
  expect(JSON.parse(stdout)).toMatchObject({ version: 1 });
  await expect(access(pathOf('config.json'))).rejects.toMatchObject({ code: 'ENOENT' });
});
