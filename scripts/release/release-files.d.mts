/**
 * Returns every file of a release except SHA256SUMS: its path in the build, relative to out/, and its name in the
 * release.
 */
export function releaseFiles(version: string): readonly { readonly from: string; readonly name: string }[];
