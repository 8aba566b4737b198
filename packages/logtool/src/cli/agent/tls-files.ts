import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, sleep } from '@logtool/kube/src/values/clock.ts';
import { trustOf, UntrustedBundle } from '../../agent/serve/api-trust.ts';
import type { Issued } from '../../agent-api/certificates/issue.ts';
import type { ApiCredentials } from '../../agent-api/fan-out/ask-agent.ts';
import type { RequestHeader } from '../../agent-api/front-proxy/request-header.ts';
import { commandFailure } from '../messages/errors.ts';

/** What the agent proves itself with, and whom it answers. */
export interface TlsFiles extends ApiCredentials {
  readonly trust: RequestHeader;
}

/** Reads `tls.crt`, `tls.key` and `ca.crt` of a folder. Throws a CliError that names the file. */
export async function readTlsFiles(folder: string): Promise<TlsFiles> {
  const [authorities, certificate, key] = await Promise.all([
    readAuthorities(folder),
    readText(join(folder, 'tls.crt')),
    readText(join(folder, 'tls.key')),
  ]);
  const own = checkedCertificate(certificate, join(folder, 'tls.crt'));
  checkKey(key, own, join(folder, 'tls.key'));
  return { certificate, key, ...authorities };
}

/** Reads `ca.crt` of a folder. Throws a CliError that names the file. */
export async function readAuthorities(folder: string): Promise<Pick<TlsFiles, 'bundle' | 'trust'>> {
  const file = join(folder, 'ca.crt');
  const bundle = await readText(file);
  return { bundle, trust: checkedTrust(bundle, file) };
}

/** Reads `tls.crt` and `tls.key` of an authority from a folder. Throws a CliError that names the file. */
export async function readOwnAuthority(folder: string, nowMs: number): Promise<Issued> {
  const file = join(folder, 'tls.crt');
  const [certificates, key] = await Promise.all([readText(file), readText(join(folder, 'tls.key'))]);
  const { readAuthority } = await import('../../agent-api/certificates/secret-data.ts');
  const authority = readAuthority(certificates, key, nowMs);
  if (authority === undefined) throw commandFailure('agent-file', { file, problem: 'no-authority' });
  return authority;
}

const EVERY_MS = 60_000;

/**
 * Reads the certificates every minute, because a mounted Secret is renewed while the agent runs, and hands over what
 * changed. What cannot be read is reported, and what was read before stays in use: between the files of two
 * certificates, for example. Rejects with the signal's reason.
 */
export async function watchCertificates<Certificates extends ApiCredentials>(
  read: (signal: AbortSignal) => Promise<Certificates>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  known: Certificates,
  on: { readonly renewed: (read: Certificates) => void; readonly unusable: (error: unknown) => void },
): Promise<never> {
  let current = known;
  for (;;) {
    await sleep(clock, EVERY_MS, signal);
    try {
      const next = await read(signal);
      if (!isSame(next, current)) on.renewed(next);
      current = next;
    } catch (error) {
      signal.throwIfAborted();
      on.unusable(error);
    }
  }
}

function isSame(a: ApiCredentials, b: ApiCredentials): boolean {
  return a.certificate === b.certificate && a.key === b.key && a.bundle === b.bundle;
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
