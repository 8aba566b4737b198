import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { type Glob, globMatches, makeGlob } from '../../domain/glob.ts';
import { parseSource } from '../../domain/source-syntax.ts';
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

/** The namespaces to which readers are confined (SourcePlan.confinedTo); undefined where all may be shown. */
export function confinedTo({ allowedNamespaces }: ServerSettings): readonly string[] | undefined {
  return allowedNamespaces.length === 0 ? undefined : allowedNamespaces;
}

/**
 * Something of a namespace was asked for that `--allowed-namespaces` leaves out. Undefined: of that of the context,
 * whose name is not told.
 */
export function namespaceNotAllowed(namespace: string | undefined, allowed: readonly string[]): LogtoolError {
  return new LogtoolError({
    code: 'namespace-not-allowed',
    what:
      namespace === undefined
        ? "this server does not show the context's own namespace"
        : `this server does not show namespace "${namespace}"`,
    why: `it was started with --allowed-namespaces ${allowed.join(',')}`,
    next: 'choose one of those, or ask whoever runs the server',
  });
}
