/** Templates below packaging/ and their output files. */
export const MANIFESTS: readonly { readonly template: string; readonly file: string }[];

/** Returns the checksums of a SHA256SUMS file, by file name. Throws for a line that `sha256sum -c` cannot read. */
export function readSums(text: string): ReadonlyMap<string, string>;

/** Returns a template with its values filled in. Throws for an unknown name and for a missing checksum. */
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
