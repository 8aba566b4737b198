import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { BUN } from '../../scripts/binary-targets.mjs';
import { bundledPackages, releaseSbom } from '../../scripts/sbom.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const component = (name: string) => ({
  'bom-ref': `${name}@1.0.0`,
  ...{ name, version: '1.0.0', scope: 'optional' },
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

test('of what npm lists, the bill of materials keeps what is in the bundle', () => {
  const { components, dependencies, metadata } = releaseSbom(ALL, new Set(['inside@1.0.0']), 'logtool');
  expect(components.map(({ name }) => name)).toEqual(['inside', 'bun']);
  expect(components[0]).toMatchObject({ scope: 'required', properties: [] });
  expect(metadata.component.name).toBe('logtool');
  expect(dependencies).toEqual([
    { ref: 'logtool@1.2.3', dependsOn: ['inside@1.0.0', `bun@${BUN}`] },
    { ref: 'inside@1.0.0', dependsOn: [] },
  ]);
});

test('a bundled package that npm does not list is an error', () => {
  expect(() => releaseSbom(ALL, new Set(['absent@2.0.0']), 'logtool')).toThrow('lacks absent@2.0.0');
});

test('license texts name their packages, and one that names none is an error', () => {
  const text = 'a 1.0.0 (MIT)\n\nText\n\n----\n\n@b/c 2.0.0-rc.1 (Apache-2.0)\n\nText\n';
  expect(bundledPackages(text)).toEqual(['a@1.0.0', '@b/c@2.0.0-rc.1']);
  expect(() => bundledPackages('Text')).toThrow('names no package');
});

test('the bill of materials of this build lists exactly the packages whose licenses it shows, and Bun', async () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/write-sbom.mjs'], {
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
  expect(listed.sort()).toEqual([...new Set([...texts.flatMap(bundledPackages), `bun@${BUN}`])].sort());
  expect(listed).toContainEqual(expect.stringMatching(/^js-yaml@/));
});
