/** Templates below packaging/ and the files that they become. */
export const MANIFESTS: readonly { readonly template: string; readonly file: string }[];

/** The checksums of a SHA256SUMS file, by file name. Throws on a line that `sha256sum -c` could not read. */
export function readSums(text: string): ReadonlyMap<string, string>;

/** A template with its values filled in. Throws on a name that no value has and on a missing checksum. */
export function renderManifest(
  template: string,
  manifest: {
    readonly version: string;
    readonly description: string;
    readonly license: string;
    readonly repository: { readonly url: string };
  },
  sums: ReadonlyMap<string, string>,
): string;
