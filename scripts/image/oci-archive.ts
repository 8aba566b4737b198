import { createHash } from 'node:crypto';
import { writeTar } from '@logtool/helm/src/chart/write-tar.ts';
import type { Platform } from './lock.ts';
import type { StageSettings } from './stage-settings.ts';

/*
 * Writes an image layout (https://github.com/opencontainers/image-spec, v1.1: image-layout, index, manifest, config) in
 * a tar archive, with the manifest.json that older versions of Docker need to load an image.
 */

export interface PackedLayer {
  /** The tar archive, compressed with gzip. */
  readonly blob: Uint8Array;
  /** The digest of the tar archive itself: sha256:... */
  readonly diffId: string;
  /** A description of the content, for `docker history`. */
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

/** Returns the archive, and the digest of the image for all platforms. */
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
  // Put a separate index for the image below the archive's index: by its name a cluster finds every platform.
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

/** containerd uses the first as the name, other tools the second as the tag. */
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

/** Docker's format has one platform per name: the first. */
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
