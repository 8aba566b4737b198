import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { FileUnreadable, readSmallFile } from '@logtool/kube/src/config/read-file.ts';
import { helmFailure } from '../failures.ts';
import type { RepositoryEntry } from './entry.ts';
import { reasonOf } from './errors.ts';

/** The files of an entry: the authorities of its server, and the client's identity. */
export interface Identity {
  readonly ca: Buffer | undefined;
  readonly client: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly insecure: boolean;
}

/** @throws CodedError `repository-file-not-readable` */
export async function readIdentity(entry: RepositoryEntry): Promise<Identity> {
  const cert = await fileOf(entry.certFile, entry);
  const key = await fileOf(entry.keyFile, entry);
  return {
    ca: await fileOf(entry.caFile, entry),
    client: cert === undefined || key === undefined ? undefined : { cert, key },
    insecure: entry.insecure_skip_tls_verify,
  };
}

async function fileOf(path: string, { name }: RepositoryEntry): Promise<Buffer | undefined> {
  if (path === '') return undefined;
  try {
    return await readSmallFile(path);
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    const data = { path, why: error.problem, repository: name };
    throw helmFailure('repository-file-not-readable', data, { cause: error });
  }
}

/**
 * Trusts only the repository's own authority for its server if it has one, as Helm does. A redirect to another server
 * may also use the machine's authorities, and does not receive the client certificate.
 */
export function contextFor(
  identity: Identity,
  publicCa: readonly (string | Buffer)[] | undefined,
  isOwn: boolean,
): SecureContext {
  const { ca, client } = identity;
  const known = publicCa ?? rootCertificates;
  if (ca !== undefined && !ca.includes('-----BEGIN')) {
    throw helmFailure('repository-certificates-unusable', { problem: 'no-pem' });
  }
  const authorities = ca === undefined ? known : isOwn ? [ca] : [...known, ca];
  try {
    return createSecureContext({
      minVersion: 'TLSv1.2',
      ca: [...authorities],
      ...(client === undefined || !isOwn ? {} : { cert: client.cert, key: client.key }),
    });
  } catch (cause) {
    const data = { problem: 'refused', why: reasonOf(cause) } as const;
    throw helmFailure('repository-certificates-unusable', data, { cause });
  }
}
