import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveName, TARGETS } from '../../../scripts/binary/binary-targets.mjs';
import { MANIFESTS, readSums, renderManifest } from '../../../scripts/release/manifests.mjs';

const ROOT = resolve(import.meta.dirname, '../../..');
/** A different checksum for each archive. */
const SUMS = new Map(TARGETS.map((target, index) => [archiveName(target), `${index}`.repeat(64)]));
const sumOf = (name: string) => SUMS.get(archive(name));
const archive = (name: string) => archiveName(TARGETS.find((target) => target.name === name)!);
let folder = '';
let version = '';
const home = 'https://github.com/logtool/logtool';
const urlOf = (name: string) => `${home}/releases/download/v${version}/${archive(name)}`;
const read = (file: string) => readFile(join(folder, 'made', file), 'utf8');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logtool-manifests-'));
  version = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')).version;
  await writeFile(join(folder, 'SHA256SUMS'), [...SUMS].map(([name, sum]) => `${sum}  ${name}\n`).join(''));
  const args = [`--sums=${join(folder, 'SHA256SUMS')}`, `--folder=${join(folder, 'made')}`];
  const { status, stderr } = spawnSync(process.execPath, ['scripts/release/render-manifests.mjs', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The fields of a platform that krew reads. */
interface KrewPlatform {
  readonly selector: { readonly matchLabels: { readonly os: string; readonly arch: string } };
  readonly uri: string;
  readonly sha256: string;
  readonly bin: string;
  readonly files: readonly { readonly from: string; readonly to: string }[];
}

test('the krew manifest has every field that krew asks for, and each platform has its own archive', async () => {
  const { apiVersion, kind, metadata, spec } = load(await read('krew/logtool.yaml')) as {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string };
    readonly spec: Readonly<Record<string, string>> & { readonly platforms: readonly KrewPlatform[] };
  };
  expect({ apiVersion, kind, metadata }).toEqual({
    apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
    kind: 'Plugin',
    metadata: { name: 'logtool' },
  });
  expect(spec.version).toBe(`v${version}`);
  expect(spec.homepage).toBe(home);
  expect(spec.shortDescription!.length).toBeLessThanOrEqual(50);
  expect(spec.shortDescription).not.toMatch(/\.$/);
  expect(spec.description).toContain('timeline');
  const seen = spec.platforms.map(({ selector, uri, sha256, bin, files }) => {
    const { os, arch } = selector.matchLabels;
    const name = `${os}-${arch === 'amd64' ? 'x64' : arch}`;
    expect({ uri, sha256 }).toEqual({ uri: urlOf(name), sha256: sumOf(name) });
    expect(bin).toBe(os === 'windows' ? 'logtool.exe' : 'logtool');
    expect(files.map(({ from }) => from)).toEqual([bin, 'LICENSE']);
    return name;
  });
  expect(seen.sort()).toEqual(
    TARGETS.map(({ name }) => name)
      .filter((name) => !name.endsWith('musl'))
      .sort(),
  );
});

test('the Homebrew formula names the archive and checksum of each processor of macOS and Linux', async () => {
  const text = await read('homebrew/logtool.rb');
  const pairs = [...text.matchAll(/url "([^"]+)"\n\s+sha256 "([^"]+)"/g)].map(([, url, sum]) => [url, sum]);
  const names = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'];
  expect(pairs).toEqual(names.map((name) => [urlOf(name), sumOf(name)]));
  expect(text).toContain(`version "${version}"`);
  // Homebrew rejects a longer description, or one that ends with a period.
  const description = /desc "([^"]*)"/.exec(text)?.[1] ?? '';
  expect(description).toMatch(/[^.]$/);
  expect(description.length).toBeLessThanOrEqual(80);
});

const RUBY = process.env.RUBY ?? 'ruby';
const hasRuby = spawnSync(RUBY, ['--version']).status === 0;
test.runIf(hasRuby)('Ruby accepts the syntax of the Homebrew formula', async () => {
  const { stdout, stderr } = spawnSync(RUBY, ['-c', join(folder, 'made/homebrew/logtool.rb')], {
    encoding: 'utf8',
  });
  expect({ stdout, stderr }).toEqual({ stdout: 'Syntax OK\n', stderr: '' });
});

test('the Scoop manifest names the archives of Windows, now and for later versions', async () => {
  const manifest = JSON.parse(await read('scoop/logtool.json'));
  expect(manifest).toMatchObject({
    version,
    homepage: home,
    license: 'Apache-2.0',
    checkver: { github: home },
  });
  expect(manifest.architecture).toEqual({
    '64bit': { url: urlOf('windows-x64'), hash: sumOf('windows-x64') },
    arm64: { url: urlOf('windows-arm64'), hash: sumOf('windows-arm64') },
  });
  expect(manifest.bin).toContain('logtool.exe');
  for (const processor of ['64bit', 'arm64'])
    expect(manifest.autoupdate.architecture[processor].url.replaceAll('$version', version)).toBe(
      manifest.architecture[processor].url,
    );
  expect(manifest.autoupdate.hash.url).toBe(`${home}/releases/download/v$version/SHA256SUMS`);
});

test('nothing of a template is left, and the same values give the same bytes', async () => {
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  for (const { template, file } of MANIFESTS) {
    const text = await readFile(join(ROOT, 'packaging', template), 'utf8');
    expect(renderManifest(text, manifest, SUMS)).toBe(await read(file));
    expect(await read(file)).not.toMatch(/\{\{|\}\}/);
  }
});

test('an unknown value, a missing checksum and a broken line are errors', () => {
  const manifest = {
    version: '1.2.3',
    description: 'd',
    license: 'l',
    repository: { url: 'git+https://x/y.git' },
  };
  expect(renderManifest('{{url linux-x64}}', manifest, SUMS)).toBe(
    'https://x/y/releases/download/v1.2.3/logtool-linux-x64.tar.gz',
  );
  expect(() => renderManifest('{{name}}', manifest, SUMS)).toThrow('{{name}} is no value');
  expect(() => renderManifest('{{url linux-mips}}', manifest, SUMS)).toThrow('linux-mips');
  expect(() => renderManifest('{{sha256 linux-x64}}', manifest, new Map())).toThrow(
    'logtool-linux-x64.tar.gz',
  );
  expect(readSums(`${'a'.repeat(64)}  x\n`)).toEqual(new Map([['x', 'a'.repeat(64)]]));
  expect(() => readSums('abc  x\n')).toThrow('no line of a SHA256SUMS file');
});
