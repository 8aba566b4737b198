/** Every file of a release beside SHA256SUMS: where the build leaves it, relative to out/, and its name in the release. */
export function releaseFiles(version: string): readonly { readonly from: string; readonly name: string }[];
