import { join } from 'node:path';
import { kubeFailure } from '../values/failures.ts';
import { FileUnreadable, readSmallFile } from './read-file.ts';

/** Where every Kubernetes node mounts the service account of a pod. */
export const SERVICE_ACCOUNT_DIRECTORY = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface InCluster {
  readonly server: URL;
  readonly namespace: string;
  readonly tokenFile: string;
  /** PEM; undefined if the pod has no ca.crt: the system's roots then decide. */
  readonly ca: Buffer | undefined;
}

/**
 * Reads the API server's address and credentials inside a pod
 * (https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/). Throws CodedError `in-cluster-missing`.
 */
export async function readInCluster(
  env: Readonly<Record<string, string | undefined>>,
  directory = SERVICE_ACCOUNT_DIRECTORY,
): Promise<InCluster> {
  const host = env.KUBERNETES_SERVICE_HOST;
  const port = env.KUBERNETES_SERVICE_PORT;
  if (!host || !port) {
    throw kubeFailure('in-cluster-missing', { lacks: 'address' });
  }
  const url = `https://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
  if (!URL.canParse(url)) throw kubeFailure('in-cluster-missing', { lacks: 'valid-address', url });
  const tokenFile = join(directory, 'token');
  const [token, ca, namespace] = await Promise.all([
    read(tokenFile),
    read(join(directory, 'ca.crt')),
    read(join(directory, 'namespace')),
  ]);
  if (token === undefined) throw kubeFailure('in-cluster-missing', { lacks: 'token', file: tokenFile });
  return {
    server: new URL(url),
    namespace: env.POD_NAMESPACE || namespace?.toString('utf8').trim() || 'default',
    tokenFile,
    ca,
  };
}

/** Returns undefined if the file does not exist. */
async function read(path: string): Promise<Buffer | undefined> {
  try {
    return await readSmallFile(path);
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw kubeFailure(
      'in-cluster-missing',
      { lacks: 'readable-file', file: path, why: error.problem },
      { cause: error },
    );
  }
}
