import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import { filtersOf } from '../placement/placement-filters.ts';
import type { SourcePlan } from '../resolve.ts';
import { isType } from '../track/roots.ts';
import { builtinKind } from './find-kind.ts';
import { readSources } from './read-sources.ts';

/** A pod with a full name. */
export interface NamedPod {
  readonly namespace: string;
  readonly pod: string;
  /** Undefined: its default container. */
  readonly container: string | undefined;
}

/** The options that may leave a pod out, or choose among its containers. */
const NARROWING = [
  'selector',
  'fieldSelector',
  'containers',
  'excludeContainers',
  'excludePods',
  'excludeKinds',
  'containerStates',
] as const;

/**
 * Returns the only container that a plan can select, as far as its arguments show. Returns undefined if only the
 * cluster knows.
 */
export function namedPod(plan: SourcePlan, defaultNamespace: string): NamedPod | undefined {
  const { specs } = readSources(plan);
  const [spec] = specs;
  if (spec === undefined || specs.length > 1 || plan.allContainers) return undefined;
  if (filtersOf(plan).length > 0 || NARROWING.some((name) => (plan[name] ?? '').length > 0)) return undefined;
  if (plan.allNamespaces === true || (plan.namespaces ?? []).length > 1) return undefined;
  const type = spec.kind === undefined ? PODS : builtinKind(spec.kind);
  if (type === undefined || !isType(type, PODS)) return undefined;
  const { namespace, name, container } = spec;
  if ([namespace, name, container].some((glob) => glob?.literal === false)) return undefined;
  return {
    namespace: namespace?.text ?? plan.namespaces?.[0] ?? defaultNamespace,
    pod: name.text,
    container: container?.text,
  };
}
