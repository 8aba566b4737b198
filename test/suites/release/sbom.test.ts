import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { BUN } from '../../../scripts/binary/binary-targets.mjs';
import { bundledPackages, releaseSbom } from '../../../scripts/release/sbom.mjs';

const ROOT = resolve(import.meta.dirname, '../../..');
const component = (name: string) => ({
  'bom-ref': `${name}@1.0.0`,
  name,
  version: '1.0.0',
  scope: 'optional',
  properties: [{ name: 'cdx:npm:package:development', value: 'true' }],
});
const ALL = {
  metadata: { component: { 'bom-ref': 'logtool@1.2.3', name: 'folder' } },
  components: [component('inside'), component('tool')],
  dependencies: [
    { ref: 'logtool@1.2.3', dependsOn: ['inside@1.0.0', 'tool@1.0.0'] },
    { ref: 'inside@1.0.0', dependsOn: ['tool@1.0.0'] },
    { ref: 'tool@1.0.0' },
  ],
};

const SHA256 = '0'.repeat(64);
const IMAGE = {
  debian: [
    { name: 'libstdc++6', architecture: 'amd64', version: '1:12.2.0-14+deb12u1~x', sha256: SHA256 },
    { name: 'libstdc++6', architecture: 'arm64', version: '1:12.2.0-14+deb12u1~x', sha256: SHA256 },
  ],
  node: { version: '22.1.2' },
};
const debianPurl = (arch: string) => `pkg:deb/debian/libstdc%2B%2B6@1:12.2.0-14%2Bdeb12u1~x?arch=${arch}`;
const RUNTIMES = [`bun@${BUN}`, 'pkg:generic/node@22.1.2', debianPurl('amd64'), debianPurl('arm64')];

test('of what npm lists, the bill of materials keeps what is in the bundle', () => {
  const { components, dependencies, metadata } = releaseSbom(
    ALL,
    new Set(['inside@1.0.0']),
    'logtool',
    IMAGE,
  );
  expect(components.map(({ name }) => name)).toEqual(['inside', 'bun', 'node', 'libstdc++6', 'libstdc++6']);
  expect(components[0]).toMatchObject({ scope: 'required', properties: [] });
  expect(metadata.component.name).toBe('logtool');
  expect(dependencies).toEqual([
    { ref: 'logtool@1.2.3', dependsOn: ['inside@1.0.0', ...RUNTIMES] },
    { ref: 'inside@1.0.0', dependsOn: [] },
  ]);
});

test('the bill of materials names Node and the Debian packages of the image, for each architecture', () => {
  const { components } = releaseSbom(ALL, new Set(), 'logtool', IMAGE);
  expect(components.slice(1)).toEqual([
    expect.objectContaining({ type: 'platform', name: 'node', version: '22.1.2', purl: RUNTIMES[1] }),
    ...['amd64', 'arm64'].map((arch) =>
      expect.objectContaining({
        type: 'library',
        name: 'libstdc++6',
        version: '1:12.2.0-14+deb12u1~x',
        purl: debianPurl(arch),
        hashes: [{ alg: 'SHA-256', content: SHA256 }],
      }),
    ),
  ]);
});

test('a bundled package that npm does not list is an error', () => {
  expect(() => releaseSbom(ALL, new Set(['absent@2.0.0']), 'logtool', IMAGE)).toThrow('lacks absent@2.0.0');
});

test('license texts name their packages, and one that names none is an error', () => {
  const text = 'a 1.0.0 (MIT)\n\nText\n\n----\n\n@b/c 2.0.0-rc.1 (Apache-2.0)\n\nText\n';
  expect(bundledPackages(text)).toEqual(['a@1.0.0', '@b/c@2.0.0-rc.1']);
  expect(() => bundledPackages('Text')).toThrow('names no package');
});

test('the bill of materials of this build lists exactly the packages whose licenses it shows, Bun, and what the image is made of', async () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/release/write-sbom.mjs'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  const sbom = JSON.parse(await readFile(join(ROOT, 'out/logtool.cdx.json'), 'utf8'));
  const texts = await Promise.all(
    ['dist/licenses.txt', 'dist/ui/licenses.txt'].map((path) => readFile(join(ROOT, path), 'utf8')),
  );
  const listed = sbom.components.map(({ name, version }: Record<string, string>) => `${name}@${version}`);
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'logtool' } } });
  const image = JSON.parse(await readFile(join(ROOT, 'scripts/image/lock.json'), 'utf8')) as typeof IMAGE;
  const inImage = [
    `node@${image.node.version}`,
    ...image.debian.map(({ name, version }) => `${name}@${version}`),
  ];
  const bundled = new Set([...texts.flatMap(bundledPackages), `bun@${BUN}`]);
  expect(listed.sort()).toEqual([...bundled, ...inImage].sort());
  const refs = sbom.components.map((one: Record<string, string>) => one['bom-ref']);
  expect(new Set(refs).size).toBe(refs.length);
  expect(listed).toContainEqual(expect.stringMatching(/^js-yaml@/));
});
