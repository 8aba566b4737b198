import { type Coded, failuresOf, type NoData } from '@logtool/kube/src/values/coded-error.ts';
import type { NameList } from '@logtool/kube/src/values/failures.ts';
import { NODE_COLUMNS } from './columns.ts';
import type { NameFault } from './names.ts';

/** What can go wrong between source arguments and containers: each code with its data. */
export interface ResolveFailures extends EmptySources {
  /** Logtool cannot apply filters by these fields of a node; `refusal` has the reason. */
  'nodes-forbidden': { readonly fields: readonly string[]; readonly refusal: Coded };
  /** A named object does not exist. */
  'source-not-found': AbsentObject;
  'namespace-missing': {
    readonly namespace: string;
    readonly effect: NamespaceEffect;
    readonly near: readonly string[];
  };
  /** The cluster has no such kind, or the server does not show it; with the namespaces and kinds that it shows. */
  'unknown-kind': UnknownKind;
  /** The API does not allow getting objects of this type. */
  'kind-not-readable': { readonly type: string };
  'no-source': NoData;
  /** `meant`: a kind that the name may mean, and the source for all objects of that kind. */
  'bad-source': {
    readonly argument: string;
    readonly fault: SourceFault;
    readonly meant?: { readonly kind: string; readonly source: string } | undefined;
  };
  'bad-namespace': { readonly name: string; readonly fault: NameFault };
  'bad-selector': { readonly text: string; readonly index: number; readonly problem: SelectorProblem };
  /** The pods of the source have no such container; without `container`, no regular one. */
  'container-not-found': {
    readonly source: string;
    readonly container?: string | undefined;
    readonly containers: NameList;
    readonly near: readonly string[];
  };
}

/** The fault in a source argument, and where. */
export type SourceFault = NameFault | (SourceProblem & { readonly index: number });

export type SourceProblem =
  | {
      readonly problem:
        | 'empty'
        | 'no-namespace'
        | 'second-namespace'
        | 'after-container'
        | 'no-container'
        | 'no-kind'
        | 'glob-kind'
        | 'dot-in-kind'
        | 'not-a-kind'
        | 'no-resource';
    }
  | { readonly problem: 'no-name-of-kind'; readonly kind: string }
  /** `namespace`: its name, if it is valid as one. */
  | { readonly problem: 'namespace-as-kind'; readonly namespace?: string | undefined };

/** The fault in a label selector: something is missing, or is not a valid key or value. */
export type SelectorProblem =
  | 'no-comma'
  | 'no-key'
  | 'not-a-key'
  | 'not-a-value'
  | 'no-number'
  | 'no-opening'
  | 'no-closing';

export interface AbsentObject {
  readonly kind: string;
  readonly name: string;
  readonly scope: SearchedScope;
  /** The name is that of a kind, which the user probably meant. */
  readonly meantKind?: string | undefined;
  /** The objects of the kind; without names if they cannot be listed. */
  readonly existing?: { readonly kinds: string; readonly names?: NameList | undefined } | undefined;
  /** Sources that the user may have meant, ready to type. */
  readonly near: readonly string[];
  /** The pod that may have a container of this name. */
  readonly containerOf?: string | undefined;
}

/** The effect of a missing namespace. */
export type NamespaceEffect =
  | { readonly lacks: 'logs' }
  | { readonly lacks: 'kind'; readonly kinds: string }
  | { readonly lacks: 'object'; readonly kind: string; readonly name: string };

export type UnknownKind =
  /** `asPod`: the argument to use, if a container of a pod was meant. */
  | {
      readonly reason: 'absent';
      readonly kind: string;
      readonly argument: string;
      readonly near: readonly string[];
      readonly asPod?: string | undefined;
    }
  | {
      readonly reason: 'not-shown';
      readonly kind: string;
      readonly namespaces: readonly string[];
      readonly near: readonly string[];
      readonly kinds: readonly string[];
    };

/** Sources without a container, which may still get one. */
export interface EmptySources {
  'no-pods': NoPods;
  /** `pattern`: what the names must match. */
  'none-of-kind': {
    readonly kinds: string;
    readonly pattern?: string | undefined;
    readonly scope: SearchedScope;
    readonly isNamespaced: boolean;
  };
  'filter-leaves-none': FilteredOut;
}

/** Where resolution searches. `cluster`: objects without a namespace. */
export type SearchedScope =
  | { readonly in: 'cluster' }
  | { readonly in: 'namespace'; readonly namespace: string }
  | { readonly in: 'namespaces'; readonly namespaces: readonly string[] }
  | { readonly in: 'matching'; readonly pattern: string }
  | { readonly in: 'everywhere' };

/** Selectors that pods must match, as typed. */
interface Selectors {
  readonly selector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

export type NoPods =
  | { readonly reason: 'scaled-to-zero'; readonly source: string; readonly scope: SearchedScope }
  /** The server does not reveal which objects exist. */
  | {
      readonly reason: 'undisclosed';
      readonly source: string;
      readonly kinds: string;
      readonly scope: SearchedScope;
    }
  | (Selectors & {
      readonly reason: 'no-match';
      readonly pattern?: string | undefined;
      readonly scope: SearchedScope;
    })
  /** `found`: number of matching objects. `node`: its name or a pattern, if the source is nodes. */
  | (Selectors & {
      readonly reason: 'owns-none';
      readonly source: string;
      readonly kinds: string;
      readonly found: number;
      readonly scope: SearchedScope;
      readonly node?: { readonly name?: string | undefined } | undefined;
    });

/** Filters of pods and containers: a node, its labels, names, kinds, states. */
export const FILTER_NAMES = [
  'node',
  ...NODE_COLUMNS,
  'excluded-pods',
  'containers',
  'excluded-containers',
  'excluded-kinds',
  'states',
] as const;

export type FilterName = (typeof FILTER_NAMES)[number];

/** A given filter, with its values. */
export interface UsedFilter {
  readonly filter: FilterName;
  readonly values: readonly string[];
}

export type FilteredOut =
  /** `found`: the values that the pods have instead, by filter. */
  | {
      readonly of: 'pods';
      readonly source: string;
      readonly pods: number;
      readonly filters: readonly UsedFilter[];
      readonly found: readonly { readonly filter: FilterName; readonly values: NameList }[];
    }
  | {
      readonly of: 'states';
      readonly source: string;
      readonly wanted: readonly string[];
      readonly states: readonly string[];
    }
  | {
      readonly of: 'containers';
      readonly source: string;
      readonly filters: readonly UsedFilter[];
      readonly containers: NameList;
      readonly near: readonly string[];
    };

export const resolveFailure = failuresOf<ResolveFailures>();

/** Returns the first names, and the number of the others. */
export function nameList(names: readonly string[], max: number): NameList {
  return { names: names.slice(0, max), more: Math.max(0, names.length - max) };
}
