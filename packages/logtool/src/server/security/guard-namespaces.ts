import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { type Glob, globMatches, makeGlob } from '../../domain/glob.ts';
import { parseSource } from '../../domain/source-syntax.ts';
import { serverFailure } from '../failures.ts';
import type { GuardedSource, ServerSettings } from '../services.ts';

/** See Services.guardNamespaces. `allowed` empty: all. */
export function guardNamespaces(
  allowed: readonly string[],
  sources: readonly string[],
  defaultNamespace: string,
): readonly GuardedSource[] {
  return sources.map((argument) => {
    const spec = parseSource(argument);
    if (allowed.length === 0) return { argument, read: [argument] };
    const wanted: Glob = spec.namespace ?? makeGlob(defaultNamespace);
    const namespaces = allowed.filter((name) => globMatches(wanted, name));
    if (namespaces.length === 0) throw namespaceNotAllowed(spec.namespace?.text, allowed);
    const rest = argument.slice(argument.indexOf(':') + 1);
    return { argument, read: namespaces.map((namespace) => `${namespace}:${rest}`) };
  });
}

/** Returns the namespaces that readers are confined to (SourcePlan.confinedTo); undefined if all are allowed. */
export function confinedTo({ allowedNamespaces }: ServerSettings): readonly string[] | undefined {
  return allowedNamespaces.length === 0 ? undefined : allowedNamespaces;
}

/**
 * Returns the failure of a request for a namespace that `--allowed-namespaces` leaves out. Undefined: the context's
 * own, whose name stays secret.
 */
export function namespaceNotAllowed(namespace: string | undefined, allowed: readonly string[]): CodedError {
  return serverFailure('namespace-not-allowed', { namespace, allowed });
}
