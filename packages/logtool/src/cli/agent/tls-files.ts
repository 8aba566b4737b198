import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trustOf, UntrustedBundle } from '../../agent/serve/api-trust.ts';
import type { RequestHeader } from '../../agent-api/front-proxy/request-header.ts';
import { commandFailure } from '../messages/errors.ts';

/** What the agent proves itself with, and whom it answers. */
export interface TlsFiles {
  readonly key: string;
  readonly certificate: string;
  readonly trust: RequestHeader;
}

/** Reads `tls.crt`, `tls.key` and `ca.crt` of a folder. Throws a CliError that names the file. */
export async function readTlsFiles(folder: string): Promise<TlsFiles> {
  const [certificate, key, bundle] = await Promise.all(
    ['tls.crt', 'tls.key', 'ca.crt'].map((name) => readText(join(folder, name))),
  );
  const trust = checkedTrust(bundle!, join(folder, 'ca.crt'));
  const own = checkedCertificate(certificate!, join(folder, 'tls.crt'));
  checkKey(key!, own, join(folder, 'tls.key'));
  return { certificate: certificate!, key: key!, trust };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const systemCode = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw commandFailure('agent-file', { file, problem: 'unreadable', systemCode }, error);
  }
}

function checkedCertificate(text: string, file: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch (error) {
    throw commandFailure('agent-file', { file, problem: 'not-certificates' }, error);
  }
}

function checkKey(text: string, certificate: X509Certificate, file: string): void {
  let isOwn: boolean;
  try {
    isOwn = certificate.checkPrivateKey(createPrivateKey(text));
  } catch (error) {
    throw commandFailure('agent-file', { file, problem: 'other-key' }, error);
  }
  if (!isOwn) throw commandFailure('agent-file', { file, problem: 'other-key' });
}

function checkedTrust(bundle: string, file: string): RequestHeader {
  try {
    return trustOf(bundle);
  } catch (error) {
    if (!(error instanceof UntrustedBundle)) throw error;
    throw commandFailure('agent-file', { file, problem: 'not-certificates' }, error);
  }
}
