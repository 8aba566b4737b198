import { writeTar } from '@logtool/helm/src/chart/write-tar.ts';

/** A file, a folder or a symbolic link in the image. */
export interface ImageFile {
  /** Path from the root, without the leading slash. */
  readonly name: string;
  /** Default 0644; for a folder 0755. */
  readonly mode?: number;
  /** ID of both user and group; default root. */
  readonly owner?: number;
  readonly data?: Uint8Array;
  /** The target of a symbolic link. */
  readonly target?: string;
  readonly isFolder?: boolean;
}

/**
 * Writes a layer: a tar archive of the files and of every parent folder, sorted by name, without times. The same files
 * give the same bytes.
 */
export function layerOf(files: readonly ImageFile[]): Uint8Array {
  const all = new Map<string, ImageFile>();
  for (const file of files) {
    const segments = file.name.split('/');
    for (let depth = 1; depth < segments.length; depth++) {
      const name = segments.slice(0, depth).join('/');
      if (!all.has(name)) all.set(name, { name, isFolder: true });
    }
    all.set(file.name, file);
  }
  const sorted = [...all.values()].sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  return writeTar(sorted.map(entryOf));
}

function entryOf({ name, mode, owner = 0, data = new Uint8Array(), target, isFolder = false }: ImageFile) {
  if (isFolder) return { name: `${name}/`, type: '5', mode: mode ?? 0o755, owner, data };
  if (target !== undefined) return { name, type: '2', mode: 0o777, owner, data, linkName: target };
  return { name, mode: mode ?? 0o644, owner, data };
}
