/** A file in an archive. */
export interface ArchiveFile {
  readonly name: string;
  /** Permission bits, such as `0o755`. */
  readonly mode: number;
  readonly contents: Buffer;
}

/** Writes a tar archive, compressed with gzip; the same files give the same bytes. */
export function writeTarGz(files: readonly ArchiveFile[]): Buffer;

/** Writes a zip archive; the same files give the same bytes. */
export function writeZip(files: readonly ArchiveFile[]): Buffer;
