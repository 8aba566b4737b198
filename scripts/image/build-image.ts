import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { debianFiles } from './debian-files.ts';
import { type ImageFile, layerOf } from './image-file.ts';
import { imageReference } from './image-reference.ts';
import { type Lock, type Platform, ROOT } from './lock.ts';
import { nodeFiles } from './node-files.ts';
import { ociArchive } from './oci-archive.ts';
import { packLayer } from './pack-layer.ts';
import { parseDockerfile } from './parse-dockerfile.ts';
import { programFiles } from './program-files.ts';
import { applySetting, newSettings, type StageSettings } from './stage-settings.ts';
import { SYSTEM_FILES } from './system-files.ts';

/** Maximum total size of the files of one platform. */
const MAX_BYTES = 120_000_000;

export interface BuildOptions {
  readonly lock: Lock;
  readonly platforms: readonly Platform[];
  /** The folder for downloads and compressed layers. */
  readonly cache: string;
  /** Seconds since 1970, for all times in the image. */
  readonly createdAtSeconds: number;
}

export interface BuiltImage {
  readonly archive: Uint8Array;
  readonly reference: string;
  readonly digest: string;
  readonly sizes: readonly { readonly platform: string; readonly bytes: number }[];
}

/**
 * Builds the image of the program in dist/: a layer each for Debian's libraries, Node and the program. It starts as the
 * Dockerfile specifies. The same sources and lock give the same bytes.
 */
export async function buildImage(options: BuildOptions): Promise<BuiltImage> {
  const { lock, platforms, cache, createdAtSeconds } = options;
  const program = programFiles(ROOT);
  const sizes: { platform: string; bytes: number }[] = [];
  const images = platforms.map((platform) => {
    const contents: readonly (readonly [string, readonly ImageFile[]])[] = [
      ['Debian', [...SYSTEM_FILES, ...debianFiles(join(cache, 'debian'), platform, lock)]],
      ['Node', nodeFiles(join(cache, 'node'), platform, lock)],
      ['logtool', program],
    ];
    const bytes = contents
      .flatMap(([, files]) => files)
      .reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
    if (bytes > MAX_BYTES)
      throw new Error(`the files for ${platform.name} have ${bytes} bytes; at most ${MAX_BYTES} are allowed`);
    sizes.push({ platform: platform.name, bytes });
    const layers = contents.map(([title, files]) => packLayer(join(cache, 'layers'), title, layerOf(files)));
    return { platform, layers };
  });
  const reference = await imageReference(ROOT);
  const created = new Date(createdAtSeconds * 1_000).toISOString().replace('.000', '');
  const settings = await settingsOf(join(ROOT, 'Dockerfile'));
  return { ...ociArchive(images, { reference, settings, created }), reference, sizes };
}

/** Returns the settings of the last stage, and those that its base would set. */
async function settingsOf(dockerfile: string): Promise<StageSettings> {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const settings = newSettings();
  Object.assign(settings.env, {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    SSL_CERT_FILE: '/etc/ssl/certs/ca-certificates.crt',
  });
  const stage = parseDockerfile(await readFile(dockerfile, 'utf8')).at(-1);
  for (const instruction of stage?.instructions ?? [])
    if (!applySetting(instruction, settings, { VERSION: version }) && instruction.name !== 'COPY')
      throw new Error(`the image is built without ${instruction.name}, which the Dockerfile has`);
  return settings;
}
