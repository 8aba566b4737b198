import type { Store } from '../../store/store.ts';
import { RESOURCE_ROWS } from './resource-table.ts';

export interface ApiResource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly string[];
  readonly verbs: readonly string[];
  /** The store's name for its objects; events of both groups are the same objects. */
  readonly storedAs: string;
  /** Declared by a CustomResourceDefinition. */
  readonly custom: boolean;
  /** A custom resource's columns in a Table. */
  readonly printerColumns?: readonly PrinterColumn[];
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly description?: string;
  readonly priority?: number;
}

const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const CREATE_ONLY = [
  'localsubjectaccessreviews',
  'selfsubjectreviews',
  'selfsubjectaccessreviews',
  'selfsubjectrulesreviews',
  'subjectaccessreviews',
  'tokenreviews',
];

function lines(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}

function verbsOf(plural: string): readonly string[] {
  if (CREATE_ONLY.includes(plural)) return ['create'];
  return plural === 'namespaces' ? ALL_VERBS.filter((verb) => verb !== 'deletecollection') : ALL_VERBS;
}

const BUILT_IN: readonly ApiResource[] = RESOURCE_ROWS.map(
  ([groupVersion, plural, singular, kind, scope, shortNames, categories, subresources]) => {
    const slash = groupVersion.indexOf('/');
    const group = groupVersion.slice(0, slash);
    return {
      group,
      version: groupVersion.slice(slash + 1),
      plural,
      singular,
      kind,
      namespaced: scope === 'ns',
      shortNames: lines(shortNames),
      categories: lines(categories),
      subresources: lines(subresources),
      verbs: verbsOf(plural),
      storedAs: group === '' || plural === 'events' ? plural : `${plural}.${group}`,
      custom: false,
    };
  },
);

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';

/** Returns all current resources: the built-in ones and those of the CustomResourceDefinitions in the store. */
export function resourcesOf(store: Store): readonly ApiResource[] {
  const custom = store.list(DEFINITIONS).flatMap((definition) => customResources(definition.spec));
  return custom.length === 0 ? BUILT_IN : [...BUILT_IN, ...custom];
}

export function findResource(
  store: Store,
  group: string,
  version: string,
  plural: string,
): ApiResource | undefined {
  return resourcesOf(store).find(
    (type) => type.group === group && type.version === version && type.plural === plural,
  );
}

export function apiVersionOf(type: { readonly group: string; readonly version: string }): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}

interface DefinitionSpec {
  readonly group?: string;
  readonly scope?: string;
  readonly names?: {
    readonly plural?: string;
    readonly singular?: string;
    readonly kind?: string;
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  };
  readonly versions?: readonly {
    readonly name: string;
    readonly served?: boolean;
    readonly subresources?: { readonly status?: unknown; readonly scale?: unknown };
    readonly additionalPrinterColumns?: readonly PrinterColumn[];
  }[];
}

function customResources(source: unknown): readonly ApiResource[] {
  const spec = (source ?? {}) as DefinitionSpec;
  const { group, names } = spec;
  if (group === undefined || names?.plural === undefined || names.kind === undefined) return [];
  const { plural, kind } = names;
  return (spec.versions ?? [])
    .filter((version) => version.served !== false)
    .map((version) => ({
      group,
      version: version.name,
      plural,
      singular: names.singular ?? kind.toLowerCase(),
      kind,
      namespaced: spec.scope !== 'Cluster',
      shortNames: names.shortNames ?? [],
      categories: names.categories ?? [],
      subresources: [
        ...(version.subresources?.scale === undefined ? [] : ['scale']),
        ...(version.subresources?.status === undefined ? [] : ['status']),
      ],
      verbs: ALL_VERBS,
      storedAs: `${plural}.${group}`,
      custom: true,
      ...(version.additionalPrinterColumns === undefined
        ? {}
        : { printerColumns: version.additionalPrinterColumns }),
    }));
}
