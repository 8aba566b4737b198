import { createHash } from 'node:crypto';
import { writeTar } from '@logtool/helm/src/chart/write-tar.ts';
import type { Platform } from './lock.ts';
import type { StageSettings } from './stage-settings.ts';

/*
 * An image layout (https://github.com/opencontainers/image-spec, v1.1: image-layout, index, manifest, config) in a tar
 * archive, with the manifest.json by which older versions of Docker load an image.
 */

export interface PackedLayer {
  /** The tar archive compressed by gzip. */
  readonly blob: Uint8Array;
  /** Of the tar archive itself: sha256:... */
  readonly diffId: string;
  /** What is in it, for `docker history`. */
  readonly title: string;
}

export interface PlatformImage {
  readonly platform: Platform;
  readonly layers: readonly PackedLayer[];
}

export interface ArchiveOptions {
  readonly reference: string;
  readonly settings: StageSettings;
  /** RFC 3339. */
  readonly created: string;
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

const TYPES = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
};

export function digestOf(data: Uint8Array): string {
  return `sha256:${createHash('sha256').update(data).digest('hex')}`;
}

/** The archive, and the digest by which the image of all platforms is known. */
export function ociArchive(
  images: readonly PlatformImage[],
  options: ArchiveOptions,
): { readonly archive: Uint8Array; readonly digest: string } {
  const blobs = new Map<string, Uint8Array>();
  const add = (mediaType: string, data: Uint8Array): Descriptor => {
    const digest = digestOf(data);
    blobs.set(`blobs/${digest.replace(':', '/')}`, data);
    return { mediaType, digest, size: data.length };
  };
  const built = images.map((image) => {
    const layers = image.layers.map(({ blob }) => add(TYPES.layer, blob));
    const config = add(TYPES.config, json(configOf(image, options)));
    const manifest = add(
      TYPES.manifest,
      json({ schemaVersion: 2, mediaType: TYPES.manifest, config, layers }),
    );
    return { image, config, layers, manifest };
  });
  // One index for the image below the one for the archive: by its name a cluster finds every platform.
  const manifests = built.map(({ image, manifest }) => ({
    ...manifest,
    platform: platformOf(image.platform),
  }));
  const index = add(TYPES.index, json({ schemaVersion: 2, mediaType: TYPES.index, manifests }));
  const named = { ...index, annotations: annotationsOf(options.reference) };
  const files = new Map<string, Uint8Array>([
    ['oci-layout', json({ imageLayoutVersion: '1.0.0' })],
    ['index.json', json({ schemaVersion: 2, mediaType: TYPES.index, manifests: [named] })],
    ['manifest.json', json(dockerManifest(built, options.reference))],
    ...[...blobs].sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
  const entries = [...files].map(([name, data]) => ({ name, data }));
  return { archive: writeTar(entries), digest: index.digest };
}

function platformOf({ architecture, variant }: Platform): object {
  return { architecture, os: 'linux', ...(variant === undefined ? {} : { variant }) };
}

/** containerd takes the first as the name, other tools the second as the tag. */
function annotationsOf(reference: string): Readonly<Record<string, string>> {
  return {
    'io.containerd.image.name': reference,
    'org.opencontainers.image.ref.name': reference.slice(reference.lastIndexOf(':') + 1),
  };
}

function configOf({ platform, layers }: PlatformImage, { settings, created }: ArchiveOptions): object {
  return {
    created,
    ...platformOf(platform),
    config: {
      User: settings.user,
      ExposedPorts: Object.fromEntries(settings.ports.map((port) => [`${port}/tcp`, {}])),
      Env: Object.entries(settings.env).map(([name, value]) => `${name}=${value}`),
      Entrypoint: settings.entrypoint,
      Cmd: settings.command,
      WorkingDir: settings.workdir,
      Labels: settings.labels,
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ title }) => ({ created, created_by: title })),
  };
}

/** That format has one platform for a name: the first. */
function dockerManifest(
  built: readonly { readonly config: Descriptor; readonly layers: readonly Descriptor[] }[],
  reference: string,
): object {
  return built.slice(0, 1).map(({ config, layers }) => ({
    Config: pathOf(config),
    RepoTags: [reference],
    Layers: layers.map(pathOf),
  }));
}

function pathOf({ digest }: Descriptor): string {
  return `blobs/${digest.replace(':', '/')}`;
}

function json(value: object): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
