import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capture } from '../../../../../test/support/cli/capture.ts';
import { rejectingWithMessage } from '../../../../../test/support/with-message.ts';
import { CliError } from '../messages/cli-error.ts';
import { worded } from '../messages/worded.ts';
import { run } from '../run.ts';
import type { ConfigFormat } from './config-format.ts';
import { CONFIG_KEYS } from './keys.ts';
import { readConfigFile } from './read.ts';
import { renderConfig } from './render.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logtool-config-'));
});
afterAll(() => rm(folder, { recursive: true }));

const { files } = capture([]).context;
const fresh = () => mkdtemp(join(folder, 'case-'));
const read = (path: string) =>
  readConfigFile({ files, homeDirectory: folder, workingDirectory: folder }, path);
async function readText(text: string, name = 'config.yaml') {
  const path = join(await fresh(), name);
  await writeFile(path, text);
  return read(path);
}
async function errorOf(text: string, name?: string): Promise<string> {
  try {
    await readText(text, name);
    return 'no error';
  } catch (error) {
    if (!(error instanceof CliError) || error.exit !== 'usage') throw error;
    const shown = worded(error);
    const what = shown.what.replace(/^.*\/(?=config)/, '').replace(/ \/.*\//, ' ');
    return `${shown.code} | ${what} | ${shown.why} | ${shown.next}`;
  }
}

const FORMATS: readonly ConfigFormat[] = ['yaml', 'json', 'toml'];

test.each(FORMATS)('what config init writes as %s has every key with its default', async (format) => {
  for (const name of [`config.${format}`, 'config']) {
    const { values } = await readText(renderConfig(format), name);
    expect([...values]).toEqual(CONFIG_KEYS.map((key) => [key.path, key.default]));
  }
});

describe('writing', () => {
  const init = async (home: string, ...argv: string[]) => {
    const world = capture(['config', 'init', ...argv], { home, overrides: { workingDirectory: home } });
    const code = await run(world.context);
    return { code, stdout: world.stdout(), stderr: world.stderr() };
  };

  test('creates the folder, and a file that only its owner may read', async () => {
    const home = await fresh();
    const path = join(home, '.logtool/config.yaml');
    expect(await init(home)).toEqual({ code: 0, stdout: `wrote ${path}\n`, stderr: '' });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(home, '.logtool'))).toEqual(['config.yaml']);
  });

  test.each(['c.json', 'c.TOML', 'c.yml', 'c'])('writes %s in the form that it is read in', async (name) => {
    const home = await fresh();
    expect(await init(home, '--path', name)).toMatchObject({ code: 0 });
    const { values } = await read(join(home, name));
    expect([...values]).toEqual(CONFIG_KEYS.map((key) => [key.path, key.default]));
  });

  test('rule 7.3: an existing file is not overwritten without --force', async () => {
    const home = await fresh();
    const path = join(home, 'c.yaml');
    await writeFile(path, 'mine');
    const refused = await init(home, '--path', path);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('already exists');
    expect(await readFile(path, 'utf8')).toBe('mine');
    expect(await readdir(home)).toEqual(['c.yaml']);
    expect(await init(home, '--path', path, '--force')).toMatchObject({ code: 0 });
    expect(await readFile(path, 'utf8')).toBe(renderConfig('yaml'));
  });

  test('of many at once, one writes the file and the others are refused', async () => {
    const home = await fresh();
    const codes = await Promise.all(Array.from({ length: 8 }, async () => (await init(home)).code));
    expect(codes.sort()).toEqual([0, 2, 2, 2, 2, 2, 2, 2]);
    expect(await readdir(join(home, '.logtool'))).toEqual(['config.yaml']);
  });

  test('~ is the home directory, other paths are below the working directory', async () => {
    const home = await fresh();
    await init(home, '--path=~/a/b.toml', '--format=toml');
    await init(home, '--path', 'c.json', '--format', 'JSON');
    expect(await readFile(join(home, 'a/b.toml'), 'utf8')).toBe(renderConfig('toml'));
    expect(await readFile(join(home, 'c.json'), 'utf8')).toBe(renderConfig('json'));
  });

  test('reports a path that cannot be written', async () => {
    const home = await fresh();
    await writeFile(join(home, 'file'), '');
    const { code, stderr } = await init(home, '--path', join(home, 'file/config.yaml'));
    expect(code).toBe(1);
    expect(stderr).toContain('error: cannot write ');
  });
});

describe('reading', () => {
  test('the default file need not exist, one that was asked for must', async () => {
    const context = { files, homeDirectory: join(folder, 'none'), workingDirectory: folder };
    expect((await readConfigFile(context, undefined)).values.size).toBe(0);
    await expect(readConfigFile(context, 'none.yaml')).rejects.toMatchObject({ code: 'config-not-found' });
  });

  test('reports a folder in place of the file', async () => {
    const home = await fresh();
    await mkdir(join(home, '.logtool/config.yaml'), { recursive: true });
    const context = { files, homeDirectory: home, workingDirectory: home };
    await expect(rejectingWithMessage(readConfigFile(context, undefined))).rejects.toMatchObject({
      code: 'config-unreadable',
      why: 'it is a directory',
    });
  });

  test('a device without an end is too large', async () => {
    await expect(rejectingWithMessage(read('/dev/zero'))).rejects.toMatchObject({
      code: 'config-unreadable',
      why: 'it is larger than 10 MiB',
    });
  });

  test('what config init --format toml writes to the default place is read again', async () => {
    const home = await fresh();
    const world = capture(['config', 'init', '--format=toml'], { home });
    expect(await run(world.context)).toBe(0);
    const context = { files, homeDirectory: home, workingDirectory: home };
    const { values } = await readConfigFile(context, undefined);
    expect([...values]).toEqual(CONFIG_KEYS.map((key) => [key.path, key.default]));
  });

  test.each([
    ['version = 1\n', 1],
    ['# x\n\n  [commands.logs] # y\n', 0],
    ['# a = b\nversion: 1\n', 1],
    ['general: {kubeconfig: "a = b"}\n', 1],
  ])('recognizes %j in a .yaml file by its beginning', async (text, size) =>
    expect((await readText(text)).values.size).toBe(size),
  );

  test('the way to a new file names the place and the format of the one that is wrong', async () => {
    expect(await errorOf('x', 'config.toml')).toMatch(/init --force --path \S+config\.toml --format toml$/);
    const home = await fresh();
    await mkdir(join(home, '.logtool'));
    await writeFile(join(home, '.logtool/config.yaml'), 'a: [');
    const context = { files, homeDirectory: home, workingDirectory: home };
    await expect(rejectingWithMessage(readConfigFile(context, undefined))).rejects.toMatchObject({
      next: 'correct it, or write a new file: logtool config init --force',
    });
  });

  test('empty files and sections are no values', async () => {
    for (const text of ['', '# nothing\n', 'commands:\n', 'commands: {logs: {}}\n', '\ufeffversion: 1\n']) {
      expect((await readText(text)).values.size).toBeLessThan(2);
    }
    expect((await readText('', 'config.toml')).values.size).toBe(0);
  });

  test.each([
    ['config.yaml', 'version: 1\ncommands:\n  logs:\n    tial: 5\n'],
    ['config.toml', 'version = 1\n\n[commands.logs]\ntial = 5\n'],
    ['config.json', '{\n"version": 1, "commands": {"logs": {\n\n"tial": 5}}}'],
  ])('an unknown key of %s is named with its line and the near one', async (name, text) => {
    expect(await errorOf(text, name)).toBe(
      `config-unknown-key | ${name}:4: unknown key commands.logs.tial | the configuration file has no such key | did you mean commands.logs.tail?`,
    );
  });

  test.each([
    ['commands: {logs: {tail: "5"}}', 'it must be an integer'],
    ['commands: {logs: {tail: 1.5}}', 'it must be an integer'],
    ['commands: {logs: {tail: -1}}', 'it must be from 0 to 9007199254740991'],
    ['commands: {serve: {port: 70000}}', 'it must be from 0 to 65535'],
    ['commands: {serve: {skip-open: yes please}}', 'it must be true or false'],
    ['commands: {logs: {columns: pod}}', 'it must be a list of column names'],
    [
      'commands: {logs: {columns: [pods]}}',
      'the columns are timestamp, dot, node, region, zone, os, arch, namespace, pod, container',
    ],
    ['general: {kubeconfig: 5}', 'it must be a text'],
    ['general: {kubeconfig: {a: 1}}', 'the configuration file has no such key'],
    ['general: 5', 'it is a single value, not a mapping of keys to values'],
    ['commands: [1]', 'it is a single value, not a mapping of keys to values'],
    ['- a', 'it is a single value, not a mapping of keys to values'],
    ['[]', 'it is a single value, not a mapping of keys to values'],
    ['version: 2', 'this logtool reads version 1'],
    ['__proto__: {polluted: true}', 'the configuration file has no such key'],
  ])('%s: %s', async (text, why) => expect(await errorOf(text)).toContain(`| ${why} |`));

  test.each([
    ['config.yaml', 'a: [1\nb: 2', 'config.yaml:2'],
    ['config.yaml', 'version: 1\nversion: 1', 'config.yaml:2'],
    ['config.json', '{"version": 1,}', 'config.json'],
    ['config.toml', 'version = 1\nversion 2', 'config.toml:2'],
    ['config.yaml', 'a: &x [1]\ngeneral: *x', 'config.yaml:2'],
    ['config.yaml', '['.repeat(20_000), 'config.yaml'],
    ['config.toml', `x = ${'['.repeat(20_000)}`, 'config.toml'],
    ['config.json', '{"a":'.repeat(20_000), 'config.json'],
  ])('%s that is no such thing is named with its line', async (name, text, position) => {
    expect(await errorOf(text, name)).toContain(position);
    expect(await errorOf(text, name)).toMatch(/^config-(invalid|unknown-key)/);
  });

  test('one that is nested as deep as no parser can read says that', async () => {
    const deep = `a: ${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    expect(await errorOf(deep)).toContain('it is nested too deeply');
  });

  test('a second document would be passed over, so it is refused with its line', async () => {
    expect(await errorOf('version: 1\n---\ncommands: {logs: {tail: 3}}')).toMatch(
      /^config-invalid \| config.yaml:2: .* \| it has more than one document \|/,
    );
    expect((await readText('---\n# the only one\nversion: 1\n...\n')).values.get('version')).toBe(1);
  });

  test('a table of TOML that begins with blanks and has no end is no table, and nothing is tried long', async () => {
    expect(await errorOf(`[${' '.repeat(60_000)}`, 'config.toml')).toMatch(/^config-invalid/);
  });

  test('one far larger than its keys take is not looked into', async () => {
    const keys = Array.from({ length: 90_000 }, (_, at) => `k${at}: 1\n`).join('');
    expect(await errorOf(keys)).toContain('it is larger than 64 KiB');
  });

  test('a key is found twice by its name, not by comparing all with all', async () => {
    expect(await errorOf('version: 1\n"version": 1')).toContain('config.yaml:2');
    expect(await errorOf('{a: {b: 1}, c: {b: 1}}')).toMatch(/^config-unknown-key/);
  });
});
