import { kubeFailure } from '../values/failures.ts';
import { decodeKubeconfig } from './decode.ts';
import { withFile } from './invalid-field.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import type { Locations } from './locate.ts';
import { mergeKubeconfigs } from './merge.ts';
import { parseKubeconfigText } from './parse.ts';
import { FileUnreadable, readSmallFile } from './read-file.ts';

/**
 * Reads and merges the kubeconfigs of these locations. A listed file that does not exist is passed over while another
 * one does, as kubectl does. Throws CodedError `kubeconfig-not-found`, `kubeconfig-unreadable`,
 * `kubeconfig-invalid`.
 */
export async function loadKubeconfig(locations: Locations): Promise<Kubeconfig> {
  const read = await Promise.all(locations.files.map(readIfThere));
  const configs: Kubeconfig[] = [];
  for (const file of read) {
    if (file === undefined) continue;
    const document = await parseKubeconfigText(file.bytes, file.path);
    configs.push(await withFile({ file: file.path, path: [] }, () => decodeKubeconfig(document, file.path)));
  }
  if (configs.length === 0)
    throw kubeFailure('kubeconfig-not-found', { files: locations.files, from: locations.from });
  return mergeKubeconfigs(configs);
}

async function readIfThere(path: string): Promise<{ path: string; bytes: Buffer } | undefined> {
  try {
    return { path, bytes: await readSmallFile(path) };
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    const isForbidden = error.code === 'EACCES' || error.code === 'EPERM';
    throw kubeFailure(
      'kubeconfig-unreadable',
      { file: path, why: error.message, isForbidden },
      { cause: error },
    );
  }
}
