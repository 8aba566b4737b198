import { LogtoolError } from '../values/errors.ts';
import { decodeKubeconfig } from './decode.ts';
import { withFile } from './invalid-field.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import type { Locations } from './locate.ts';
import { mergeKubeconfigs } from './merge.ts';
import { parseKubeconfigText } from './parse.ts';
import { FileUnreadable, readSmallFile } from './read-file.ts';

/**
 * Reads and merges the kubeconfigs of these locations. A listed file that does not exist is passed over while another
 * one does, as kubectl does. Throws LogtoolError `kubeconfig-not-found`, `kubeconfig-unreadable`,
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
  if (configs.length === 0) throw notFound(locations);
  return mergeKubeconfigs(configs);
}

async function readIfThere(path: string): Promise<{ path: string; bytes: Buffer } | undefined> {
  try {
    return { path, bytes: await readSmallFile(path) };
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw new LogtoolError({
      code: 'kubeconfig-unreadable',
      what: `kubeconfig ${path} cannot be read`,
      why: error.message,
      next:
        error.code === 'EACCES' || error.code === 'EPERM'
          ? 'give yourself the right to read the file, or name another one with --kubeconfig'
          : 'name another file with --kubeconfig',
      cause: error,
    });
  }
}

function notFound({ files, from }: Locations): LogtoolError {
  const why = {
    explicit: 'the file that was asked for does not exist',
    KUBECONFIG: 'the KUBECONFIG environment variable names only files that do not exist',
    home: 'no file was named, KUBECONFIG is not set, and the default file does not exist',
  }[from];
  return new LogtoolError({
    code: 'kubeconfig-not-found',
    what: `no kubeconfig at ${files.join(', ')}`,
    why,
    next: 'name a kubeconfig with --kubeconfig or KUBECONFIG; inside a pod, use --in-cluster',
  });
}
