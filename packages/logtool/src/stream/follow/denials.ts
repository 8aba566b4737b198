import { isKubeError } from '@logtool/kube/src/errors.ts';
import { MAX_REFUSED_TRIES } from '../run/failure-policy.ts';
import { AccessWithdrawn, classifyFailure, StreamAbort } from '../run/read-failure.ts';

/**
 * The refusals of one followed container. 401 and 403 may be temporary, and so may a plugin without credentials, but
 * not before the first answer, nor after the permission was withdrawn.
 */
export interface Denials {
  readonly inARow: number;
  readonly wasAnswered: boolean;
  readonly isWithdrawn: boolean;
}

export const NO_DENIALS: Denials = { inARow: 0, wasAnswered: false, isWithdrawn: false };
/** The server answered. */
export const ANSWERED: Denials = { inARow: 0, wasAnswered: true, isWithdrawn: false };

/** Counts a failed connection, and returns whether a retry is useless. */
export function noteFailure(
  denials: Denials,
  error: unknown,
  wasRead: boolean,
): { readonly denials: Denials; readonly isFinal: boolean } {
  const { kind } = classifyFailure(error);
  const noted = {
    ...denials,
    inARow: kind === 'denied' ? denials.inARow + 1 : 0,
    isWithdrawn: denials.isWithdrawn || error instanceof AccessWithdrawn,
  };
  return { denials: noted, isFinal: isFinal(noted, error, wasRead) };
}

function isFinal({ inARow, wasAnswered, isWithdrawn }: Denials, error: unknown, wasRead: boolean): boolean {
  if (isWithdrawn && isKubeError(error, 'forbidden')) return true;
  const isWelcome = wasRead || wasAnswered;
  if (inARow >= MAX_REFUSED_TRIES && !isWelcome) return true;
  if (isWelcome && (isKubeError(error, 'credentials') || isKubeError(error, 'tls'))) return false;
  return classifyFailure(error).kind === 'fatal' && !(error instanceof StreamAbort);
}
