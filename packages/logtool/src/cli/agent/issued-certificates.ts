import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type Attempt, retry } from '@logtool/kube/src/values/retry.ts';
import { AgentCertificates } from '../../agent-api/certificates/agent-certificates.ts';
import type { createLogger } from '../../server/create-logger.ts';
import type { IssuedBy } from '../plan/agent/agent-plan.ts';
import { readAuthorities, type TlsFiles } from './tls-files.ts';

export interface IssuedOptions extends IssuedBy {
  /** Has the `ca.crt` of what signs for the API. */
  readonly folder: string;
  readonly clock: Clock;
  readonly logger: ReturnType<typeof createLogger>;
}

export interface IssuedCertificates {
  readonly first: TlsFiles;
  /** Reads them again, and asks for others when they are due. Throws what reading and asking throw. */
  readonly read: (signal: AbortSignal) => Promise<TlsFiles>;
}

/** The API may start at the same time as the agent. */
const WAITS = { firstMs: 1000, maxMs: 30_000 } as const;

/**
 * Gets the certificate of the agent from the API: waits for the first one, however long that takes. Throws a CliError
 * if the folder has no authorities, and the signal's reason.
 */
export async function issuedCertificates(
  { folder, api, tokenFile, clock, logger }: IssuedOptions,
  signal: AbortSignal,
): Promise<IssuedCertificates> {
  await readAuthorities(folder);
  const certificates = new AgentCertificates({ clock, api, tokenFile });
  const read = async (own: AbortSignal) => {
    const { bundle, trust } = await readAuthorities(folder);
    return { ...(await certificates.read(bundle, own)), bundle, trust };
  };
  const attempt = async (): Promise<Attempt<TlsFiles>> => {
    try {
      return { state: 'done', value: await read(signal) };
    } catch (error) {
      signal.throwIfAborted();
      logger.warn({ error }, 'waits for its certificate, which the API of logtool has not issued');
      return { state: 'failed', error };
    }
  };
  return { first: await retry(WAITS, attempt, { clock, signal }), read };
}
