import { readFile } from 'node:fs/promises';
import { load } from 'js-yaml';

/** What tests change in a kubeconfig before they write it elsewhere. */
export interface KubeconfigFile {
  'current-context': string;
  clusters: { name: string; cluster: Record<string, unknown> }[];
  contexts: { name: string; context: Record<string, unknown> }[];
  users: { name: string; user: object }[];
}

export async function readKubeconfigFile(path: string): Promise<KubeconfigFile> {
  return load(await readFile(path, 'utf8')) as KubeconfigFile;
}
