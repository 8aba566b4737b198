export function publishBuild(
  folder: string,
  files: ReadonlyMap<string, Uint8Array | string>,
  options: { readonly entries: readonly string[]; readonly keepMs?: number; readonly nowMs?: number },
): void;

export function isStale(folder: string, sources: readonly string[]): boolean;
