import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { BadRequest } from '../../contract/server-failures.ts';
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
  if (names.length > MOST) throw badNames({ problem: 'namespaces', limit: MOST });
  for (const name of names) {
    const fault = findNameFault(name, 'label');
    if (fault !== undefined) throw badNames({ problem: 'namespace-name', name: name.slice(0, 100), fault });
    if (allowed.length > 0 && !allowed.includes(name)) throw namespaceNotAllowed(name, allowed);
  }
  return names;
}

function badNames(problem: BadRequest): CodedError {
  return serverFailure('bad-request', problem);
}
