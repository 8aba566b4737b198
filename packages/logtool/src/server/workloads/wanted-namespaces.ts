import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { findNameFault } from '../../domain/names.ts';
import { serverFailure } from '../failures.ts';
import { namespaceNotAllowed } from '../security/guard-namespaces.ts';

/** Each of them may be watched by itself, kind by kind: somebody with more wants to see all. */
const MOST = 2_000;

/**
 * The namespaces that a page asks for, comma-separated; none for all. `allowed` empty: any may be asked for. Throws
 * CodedError `bad-request` for what cannot be the name of one, and `namespace-not-allowed`.
 */
export function wantedNamespaces(text: string | undefined, allowed: readonly string[]): readonly string[] {
  const names = [...new Set((text ?? '').split(',').flatMap((name) => name.trim() || []))];
  if (names.length > MOST) throw badNames(`at most ${MOST} may be named`);
  for (const name of names) {
    const fault = findNameFault(name, 'label');
    if (fault !== undefined) throw badNames(`"${name.slice(0, 100)}": ${fault.why}`);
    if (allowed.length > 0 && !allowed.includes(name)) throw namespaceNotAllowed(name, allowed);
  }
  return names;
}

function badNames(why: string): CodedError {
  return serverFailure('bad-request', { problem: 'namespaces', why });
}
