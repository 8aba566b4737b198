/** The manifest of the package as it is published. */
export function publishedManifest(manifest: Readonly<Record<string, unknown>>): Record<string, unknown>;

/** README.md as a package page shows it: links and pictures lead to the repository, at the tag of the version. */
export function absoluteLinks(
  markdown: string,
  manifest: { readonly version: string; readonly repository: { readonly url: string } },
  folder?: string,
): string;

/** The files of the repository that a Markdown text links to or shows, without fragments. */
export function relativeTargets(markdown: string): string[];
