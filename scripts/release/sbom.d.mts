/** Returns the packages that a file of license texts names, as `name@version`. */
export function bundledPackages(text: string): string[];

/** The required parts of the output of `npm sbom --sbom-format cyclonedx`. */
export interface Sbom {
  readonly metadata: { readonly component: Readonly<Record<string, unknown>> };
  readonly components: readonly (Readonly<Record<string, unknown>> & {
    readonly name: string;
    readonly version: string;
  })[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/** The required parts of scripts/image/lock.json. */
export interface ImageLock {
  readonly debian: readonly Readonly<Record<'name' | 'architecture' | 'version' | 'sha256', string>>[];
  readonly node: { readonly version: string };
}

/** Returns the bill of materials of a release. Throws if npm's lacks a bundled package. */
export function releaseSbom<T extends Sbom>(
  all: T,
  bundled: ReadonlySet<string>,
  name: string,
  image: ImageLock,
): T;
