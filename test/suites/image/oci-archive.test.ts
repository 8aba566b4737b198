import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type ImageFile, layerOf } from '../../../scripts/image/image-file.ts';
import { PLATFORMS } from '../../../scripts/image/lock.ts';
import { ociArchive } from '../../../scripts/image/oci-archive.ts';
import { packLayer } from '../../../scripts/image/pack-layer.ts';
import { newSettings } from '../../../scripts/image/stage-settings.ts';
import { folder } from '../../support/connection/kubeconfig-folder.ts';
import { readArchive, sha256 } from './archive-files.ts';

const run = promisify(execFile);
const LONG = `usr/${'long/'.repeat(30)}name`;
const FILES: readonly ImageFile[] = [
  { name: 'usr/bin/program', mode: 0o755, data: Buffer.from('program') },
  { name: 'etc/name', data: Buffer.from('nonroot') },
  { name: 'etc/link', target: 'name' },
  { name: 'home', isFolder: true, mode: 0o700, owner: 65532 },
  { name: LONG, data: Buffer.from('far below') },
];

async function archiveOf(cache: string, platforms = PLATFORMS.slice()) {
  const layers = [packLayer(join(cache, 'layers'), 'first', layerOf(FILES))];
  return ociArchive(
    platforms.map((platform) => ({ platform, layers })),
    {
      reference: 'registry.example.com:5000/team/logtool:1.2.3',
      created: '1970-01-01T00:00:00Z',
      settings: {
        ...newSettings(),
        user: '65532:65532',
        workdir: '/logtool',
        env: { NODE_ENV: 'production' },
        labels: { 'org.opencontainers.image.version': '1.2.3' },
        entrypoint: ['/nodejs/bin/node'],
        command: ['--help'],
        ports: ['7500'],
      },
    },
  );
}

// The options require GNU tar.
test.runIf(process.platform === 'linux')(
  'a layer has the folders above its files, owners and permissions, and no times',
  async () => {
    const directory = await folder();
    await writeFile(join(directory, 'layer.tar'), layerOf(FILES));
    const list = ['--list', '--verbose', '--numeric-owner', '--utc', '--file', join(directory, 'layer.tar')];
    const { stdout } = await run('tar', list);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.replaceAll(/ +/g, ' '));
    expect(lines.filter((line) => !line.includes('long/'))).toEqual([
      'drwxr-xr-x 0/0 0 1970-01-01 00:00 etc/',
      'lrwxrwxrwx 0/0 0 1970-01-01 00:00 etc/link -> name',
      '-rw-r--r-- 0/0 7 1970-01-01 00:00 etc/name',
      'drwx------ 65532/65532 0 1970-01-01 00:00 home/',
      'drwxr-xr-x 0/0 0 1970-01-01 00:00 usr/',
      'drwxr-xr-x 0/0 0 1970-01-01 00:00 usr/bin/',
      '-rwxr-xr-x 0/0 7 1970-01-01 00:00 usr/bin/program',
    ]);
    expect(lines.at(-1)).toBe(`-rw-r--r-- 0/0 9 1970-01-01 00:00 ${LONG}`);
  },
);

test('the same files give the same bytes, in whichever order they come', async () => {
  const [one, other] = [await folder(), await folder()];
  expect(layerOf(FILES.toReversed())).toEqual(layerOf(FILES));
  expect((await archiveOf(one)).archive).toEqual((await archiveOf(other)).archive);
});

test('a compressed layer is taken from the cache, and what it stands for decides which', async () => {
  const cache = await folder();
  const first = packLayer(cache, 'first', layerOf(FILES));
  expect(packLayer(cache, 'first', layerOf(FILES))).toEqual({ ...first, blob: Buffer.from(first.blob) });
  expect(packLayer(cache, 'first', layerOf(FILES.slice(1))).diffId).not.toBe(first.diffId);
});

test('the archive names its image for containerd and for tools that use a tag, with a platform each', async () => {
  const directory = await folder();
  const { archive } = await archiveOf(directory);
  await writeFile(join(directory, 'image.tar'), archive);
  await run('tar', ['--extract', '--file', join(directory, 'image.tar'), '--directory', directory]);
  const { names, platforms, docker } = await readArchive(directory);
  expect(names).toEqual({
    'io.containerd.image.name': 'registry.example.com:5000/team/logtool:1.2.3',
    'org.opencontainers.image.ref.name': '1.2.3',
  });
  expect(platforms.map(({ platform }) => platform)).toEqual(['linux/amd64', 'linux/arm64/v8']);
  for (const { config, layers } of platforms) {
    expect(config.rootfs).toEqual({ type: 'layers', diff_ids: layers.map(sha256) });
    expect(config.history).toHaveLength(layers.length);
    expect(config).toMatchObject({
      created: '1970-01-01T00:00:00Z',
      config: {
        User: '65532:65532',
        ExposedPorts: { '7500/tcp': {} },
        Env: ['NODE_ENV=production'],
        Entrypoint: ['/nodejs/bin/node'],
        Cmd: ['--help'],
        WorkingDir: '/logtool',
        Labels: { 'org.opencontainers.image.version': '1.2.3' },
      },
    });
  }
  expect(docker).toEqual([
    {
      RepoTags: ['registry.example.com:5000/team/logtool:1.2.3'],
      Config: expect.stringMatching(/^blobs\/sha256\/[0-9a-f]{64}$/),
      Layers: [expect.stringMatching(/^blobs\/sha256\/[0-9a-f]{64}$/)],
    },
  ]);
});

test('older versions of Docker load the first platform that was asked for', async () => {
  const directory = await folder();
  const { archive } = await archiveOf(directory, [PLATFORMS[1]]);
  await writeFile(join(directory, 'image.tar'), archive);
  await run('tar', ['--extract', '--file', join(directory, 'image.tar'), '--directory', directory]);
  const [image] = (await readArchive(directory)).docker;
  const { stdout } = await run('tar', [
    '--extract',
    '--to-stdout',
    '--file',
    join(directory, 'image.tar'),
    image?.Config ?? '',
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ architecture: 'arm64', variant: 'v8' });
});
