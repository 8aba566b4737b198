import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly os: string; readonly architecture: string; readonly variant?: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface ImageConfig {
  readonly created: string;
  readonly os: string;
  readonly architecture: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly rootfs: { readonly type: string; readonly diff_ids: readonly string[] };
  readonly history: readonly object[];
}

/** One platform of an unpacked archive, with every digest and size verified. */
export interface PlatformFiles {
  readonly platform: string;
  readonly config: ImageConfig;
  /** The tar archives of the layers. */
  readonly layers: readonly Buffer[];
}

export interface ArchiveFiles {
  readonly names: Readonly<Record<string, string>>;
  readonly platforms: readonly PlatformFiles[];
  /** The file of the older format. */
  readonly docker: readonly {
    readonly Config: string;
    readonly RepoTags: readonly string[];
    readonly Layers: readonly string[];
  }[];
}

export function sha256(data: Uint8Array): string {
  return `sha256:${createHash('sha256').update(data).digest('hex')}`;
}

/** Reads an image layout from a folder like a container runtime: from index.json by digests. */
export async function readArchive(folder: string): Promise<ArchiveFiles> {
  const json = async (path: string) => JSON.parse(await readFile(join(folder, path), 'utf8')) as unknown;
  const blob = async ({ digest, size }: Descriptor) => {
    const data = await readFile(join(folder, 'blobs', digest.replace(':', '/')));
    if (sha256(data) !== digest || data.length !== size) throw new Error(`${digest} is another blob`);
    return data;
  };
  const parsed = async <T>(descriptor: Descriptor) => JSON.parse((await blob(descriptor)).toString()) as T;
  const { imageLayoutVersion } = (await json('oci-layout')) as { readonly imageLayoutVersion: string };
  if (imageLayoutVersion !== '1.0.0') throw new Error(`the layout is of version ${imageLayoutVersion}`);
  const top = (await json('index.json')) as { readonly manifests: readonly Descriptor[] };
  const [named, ...others] = top.manifests;
  if (named === undefined || others.length > 0)
    throw new Error('index.json names more or less than one image');
  const index = await parsed<{ readonly manifests: readonly Descriptor[] }>(named);
  const platforms = index.manifests.map(async (descriptor): Promise<PlatformFiles> => {
    const manifest = await parsed<{ readonly config: Descriptor; readonly layers: readonly Descriptor[] }>(
      descriptor,
    );
    const config = await parsed<ImageConfig>(manifest.config);
    const layers = await Promise.all(manifest.layers.map(async (layer) => gunzipSync(await blob(layer))));
    const { os, architecture, variant } = descriptor.platform ?? { os: '', architecture: '' };
    if (config.os !== os || config.architecture !== architecture)
      throw new Error(
        `the index says ${os}/${architecture} of an image for ${config.os}/${config.architecture}`,
      );
    return { platform: [os, architecture, variant].filter(Boolean).join('/'), config, layers };
  });
  return {
    names: named.annotations ?? {},
    platforms: await Promise.all(platforms),
    docker: (await json('manifest.json')) as ArchiveFiles['docker'],
  };
}
