import { readSmallFile } from '../config/read-file.ts';
import type { Clock } from '../values/clock.ts';
import { kubeFailure } from '../values/failures.ts';
import { whyOf } from '../values/problems.ts';
import type { Credential, Grant } from './credential.ts';
import { headerValue } from './header-value.ts';

/** client-go reads a token file again after a minute; the kubelet renews a token long before it expires. */
const REREAD_AFTER_MS = 60_000;

/**
 * A bearer token in a file that another process renews, such as a pod's service account token. Reads it again once it
 * is a minute old and when the server rejects it. If the file becomes unreadable, the last token, or the `fallback` of
 * the kubeconfig, stays in use. Throws CodedError `token-file-unreadable` if there is neither.
 */
export function tokenFileCredential(path: string, fallback: string, clock: Clock): Credential {
  let current: Grant | undefined;
  let readAt = Number.NEGATIVE_INFINITY;

  async function read(): Promise<Grant> {
    readAt = clock.now();
    const token = await tokenIn(path).catch((error: unknown) => {
      if (fallback !== '' && current === undefined) return fallback;
      if (current !== undefined) return undefined;
      throw error;
    });
    if (token === undefined && current !== undefined) return current;
    const authorization = `Bearer ${headerValue('token', token ?? '', path)}`;
    if (authorization !== current?.authorization) current = { authorization };
    return current as Grant;
  }

  return {
    grant: async () =>
      current === undefined || clock.now() - readAt >= REREAD_AFTER_MS ? await read() : current,
    renew: async (sent) => (await read()) !== sent,
    close() {},
  };
}

async function tokenIn(path: string): Promise<string> {
  let token: string;
  try {
    token = (await readSmallFile(path)).toString('utf8').trim();
  } catch (cause) {
    throw kubeFailure('token-file-unreadable', { file: path, why: whyOf(cause) }, { cause });
  }
  if (token === '') throw kubeFailure('token-file-unreadable', { file: path });
  return token;
}
