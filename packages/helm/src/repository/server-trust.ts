import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { FileUnreadable, readSmallFile } from '@logtool/kube/src/config/read-file.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import type { RepositoryEntry } from './entry.ts';

/** What the files of an entry hold: by which authorities its server is known, and who we are for it. */
export interface Identity {
  readonly ca: Buffer | undefined;
  readonly client: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly insecure: boolean;
}

/** @throws LogtoolError `repository-file-not-readable` */
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
    throw new LogtoolError({
      code: 'repository-file-not-readable',
      what: `cannot read ${path}, which the repository ${name} names`,
      why: error.message,
      next: 'put the file there, or add the repository again with another one',
      cause: error,
    });
  }
}

/**
 * With an authority of its own a repository is known by that alone, as Helm has it. Another server, to which it sends
 * on, may be known by the machine's authorities too, and sees no client certificate.
 */
export function contextFor(
  identity: Identity,
  publicCa: readonly (string | Buffer)[] | undefined,
  isOwn: boolean,
): SecureContext {
  const { ca, client } = identity;
  const known = publicCa ?? rootCertificates;
  const authorities = ca === undefined ? known : isOwn ? [ca] : [...known, ca];
  try {
    if (ca !== undefined && !ca.includes('-----BEGIN')) throw new Error('there is no PEM certificate in it');
    return createSecureContext({
      minVersion: 'TLSv1.2',
      ca: [...authorities],
      ...(client === undefined || !isOwn ? {} : { cert: client.cert, key: client.key }),
    });
  } catch (cause) {
    throw new LogtoolError({
      code: 'repository-certificates-unusable',
      what: 'the certificates that the repository names cannot be used',
      why: cause instanceof Error ? cause.message : String(cause),
      next: 'give files in PEM: an authority, or a certificate and the key that belongs to it',
      cause,
    });
  }
}
