import { LocalFolder } from './local-folder.ts';

/** The folder of one pod: `NAMESPACE_POD_UID`. Names of namespaces and pods have no underscore. */
export interface PodFolder {
  readonly name: string;
  /** For a static pod, the hash of its definition. */
  readonly uid: string;
}

/** Lists the folders that the node keeps of pods with a name: of the pod, and of earlier ones that had it. */
export async function podFolders(
  root: string,
  { namespace, pod }: { readonly namespace: string; readonly pod: string },
  signal: AbortSignal,
): Promise<readonly PodFolder[]> {
  const start = `${namespace}_${pod}_`;
  const names = (await new LocalFolder(root, [], signal).names('folders')) ?? [];
  return names
    .filter((name) => name.startsWith(start))
    .map((name) => ({ name, uid: name.slice(start.length) }));
}
