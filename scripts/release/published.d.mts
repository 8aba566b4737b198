/** Returns the manifest of the package as published. */
export function publishedManifest(manifest: Readonly<Record<string, unknown>>): Record<string, unknown>;

/** Returns README.md for a package page: links and pictures point to the repository, at the tag of the version. */
export function absoluteLinks(
  markdown: string,
  manifest: { readonly version: string; readonly repository: { readonly url: string } },
  folder?: string,
): string;

/** Returns the files of the repository that a Markdown text links to or shows, without fragments. */
export function relativeTargets(markdown: string): string[];
