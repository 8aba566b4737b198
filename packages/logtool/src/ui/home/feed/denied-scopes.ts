import type { WireError } from '../../../contract/error.ts';
import { WORKLOAD_KINDS } from '../../../contract/workload-kinds.ts';
import { messageOf } from '../../messages/message-of.ts';
import type { Denial, WorkloadList } from './workload-store.ts';

/** The kinds that the user cannot read in one namespace (undefined: in the cluster). */
export interface DeniedScope {
  readonly namespace: string | undefined;
  readonly errors: readonly WireError[];
  /** Whether this hides everything, some kinds of rows, or only their latest events. */
  readonly hides: 'all' | 'some' | 'events';
}

/** Groups denials by namespace, in order of arrival. */
export function scopesOf(denied: readonly Denial[]): readonly DeniedScope[] {
  const errors = new Map<string | undefined, WireError[]>();
  for (const { namespace, error } of denied) {
    const of = errors.get(namespace);
    if (of === undefined) errors.set(namespace, [error]);
    else of.push(error);
  }
  return [...errors].map(([namespace, of]) => ({ namespace, errors: of, hides: hiddenBy(of) }));
}

/** Returns the namespaces in which the user can read nothing. */
export function hiddenNamespaces(denied: readonly Denial[]): readonly string[] {
  return scopesOf(denied).flatMap(({ namespace, hides }) => (hides === 'all' ? (namespace ?? []) : []));
}

/** Whether a list is empty although parts of it were denied, so that its zeros count nothing. */
export function isUncounted({ workloads, denied }: Pick<WorkloadList, 'workloads' | 'denied'>): boolean {
  return workloads.size === 0 && isUncertain({ denied });
}

/** Whether parts of a list other than events were denied, so that it may lack objects. */
export function isUncertain({ denied }: Pick<WorkloadList, 'denied'>): boolean {
  return scopesOf(denied).some(({ hides }) => hides !== 'events');
}

/** Namespaces with the same denials. */
export interface DeniedGroup {
  /** Empty: the cluster. */
  readonly namespaces: readonly string[];
  readonly hides: DeniedScope['hides'];
  /** `list deployments, jobs`: the missing permission, in RBAC terms. */
  readonly right: string;
  /** Shell commands that check the permission in each namespace. */
  readonly checks: readonly string[];
  /** The server's message, if it does not name the permission. */
  readonly what: string;
}

/** Merges scopes that have the same message, so that it appears only once. */
export function groupScopes(scopes: readonly DeniedScope[]): readonly DeniedGroup[] {
  const groups = new Map<string, DeniedGroup>();
  for (const { namespace, errors, hides } of scopes) {
    const denied = errors.flatMap((error) => error.denied ?? []);
    // Without the permission to list pods, nothing of a namespace is visible: name that permission first.
    const pods = denied.filter(({ resource }) => resource === 'pods');
    const named = hides === 'all' && pods.length > 0 ? pods : denied;
    const verbs = [...new Set(named.map(({ verb }) => verb))].join(', ');
    const right = `${verbs} ${named.map(({ resource }) => resource.split('.')[0]).join(', ')}`.trim();
    const what = errors[0] === undefined ? '' : messageOf(errors[0]).what;
    const key = [namespace === undefined, hides, right, right === '' ? what : ''].join('\n');
    const group = groups.get(key) ?? { namespaces: [], hides, right, checks: [], what };
    groups.set(key, {
      ...group,
      namespaces: namespace === undefined ? group.namespaces : [...group.namespaces, namespace],
      checks: [...group.checks, ...named.map(({ check }) => check)],
    });
  }
  return [...groups.values()];
}

function hiddenBy(errors: readonly WireError[]): DeniedScope['hides'] {
  const kinds = new Set(errors.map(({ denied }) => denied?.resource.split('.')[0]));
  if (kinds.size === 1 && kinds.has('events')) return 'events';
  return WORKLOAD_KINDS.every((kind) => kinds.has(kind)) ? 'all' : 'some';
}
