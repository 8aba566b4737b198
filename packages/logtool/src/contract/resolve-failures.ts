import { z } from '@hono/zod-openapi';
import type { Coded } from '@logtool/kube/src/values/coded-error.ts';
import { FILTER_NAMES, type ResolveFailures } from '../domain/resolve-failures.ts';
import { coded } from './coded.ts';
import { KUBE_DATA } from './kube-failures.ts';
import { schemasOf } from './schemas-of.ts';

export const texts = z.array(z.string()).readonly();
/** The first names, and the number of further ones. */
export const NameList = z.object({ names: texts, more: z.number() });

/** Where resolution searches. `cluster`: objects without a namespace. */
export const Scope = z.discriminatedUnion('in', [
  z.object({ in: z.literal('cluster') }),
  z.object({ in: z.literal('namespace'), namespace: z.string() }),
  z.object({ in: z.literal('namespaces'), namespaces: texts }),
  z.object({ in: z.literal('matching'), pattern: z.string() }),
  z.object({ in: z.literal('everywhere') }),
]);
const selectors = { selector: z.string().optional(), fieldSelector: z.string().optional() };
export const NoPods = z.discriminatedUnion('reason', [
  z.object({ reason: z.literal('scaled-to-zero'), source: z.string(), scope: Scope }),
  z.object({ reason: z.literal('undisclosed'), source: z.string(), kinds: z.string(), scope: Scope }),
  z.object({
    reason: z.literal('no-match'),
    pattern: z.string().optional(),
    scope: Scope,
    ...selectors,
  }),
  z.object({
    reason: z.literal('owns-none'),
    source: z.string(),
    kinds: z.string(),
    found: z.number(),
    scope: Scope,
    node: z.object({ name: z.string().optional() }).optional(),
    ...selectors,
  }),
]);

const filter = z.enum(FILTER_NAMES);
const filters = z.array(z.object({ filter, values: texts })).readonly();
export const FilteredOut = z.discriminatedUnion('of', [
  z.object({
    of: z.literal('pods'),
    source: z.string(),
    pods: z.number(),
    filters,
    found: z.array(z.object({ filter, values: NameList })).readonly(),
  }),
  z.object({ of: z.literal('states'), source: z.string(), wanted: texts, states: texts }),
  z.object({
    of: z.literal('containers'),
    source: z.string(),
    filters,
    containers: NameList,
    near: texts,
  }),
]);

export const NoneOfKind = z.object({
  kinds: z.string(),
  pattern: z.string().optional(),
  scope: Scope,
  isNamespaced: z.boolean(),
});

/** `index`: the position in the text (its length: after the end). */
const index = z.number();
const nameFaults = [
  z.object({ index, problem: z.literal(['no-name', 'glob', 'capital', 'dot', 'hyphen-before-dot']) }),
  z.object({ index, problem: z.literal('character'), character: z.string() }),
  z.object({ index, problem: z.literal(['begins-with', 'ends-with']), character: z.enum(['-', '.']) }),
  z.object({ index, problem: z.literal('too-long'), limit: z.number() }),
] as const;
export const NameFault = z.discriminatedUnion('problem', nameFaults);
const SourceFault = z.discriminatedUnion('problem', [
  ...nameFaults,
  z.object({
    index,
    problem: z.literal([
      'empty',
      'no-namespace',
      'second-namespace',
      'after-container',
      'no-container',
      'no-kind',
      'glob-kind',
      'dot-in-kind',
      'not-a-kind',
      'no-resource',
    ]),
  }),
  z.object({ index, problem: z.literal('no-name-of-kind'), kind: z.string() }),
  z.object({ index, problem: z.literal('namespace-as-kind'), namespace: z.string().optional() }),
]);

/** A failure inside another one. */
const Refusal: z.ZodType<Coded> = z.union([
  coded('forbidden', KUBE_DATA.forbidden),
  coded('forbidden-anonymous', KUBE_DATA['forbidden-anonymous']),
]);

/** The data of each code of resolving source arguments to containers. */
export const RESOLVE_DATA = schemasOf<ResolveFailures>()({
  'nodes-forbidden': z.object({
    fields: z.array(z.string()),
    refusal: Refusal,
  }),
  'no-pods': NoPods,
  'none-of-kind': NoneOfKind,
  'filter-leaves-none': FilteredOut,
  'source-not-found': z.object({
    kind: z.string(),
    name: z.string(),
    scope: Scope,
    meantKind: z.string().optional(),
    existing: z.object({ kinds: z.string(), names: NameList.optional() }).optional(),
    near: texts,
    containerOf: z.string().optional(),
  }),
  'namespace-missing': z.object({
    namespace: z.string(),
    effect: z.discriminatedUnion('lacks', [
      z.object({ lacks: z.literal('logs') }),
      z.object({ lacks: z.literal('kind'), kinds: z.string() }),
      z.object({ lacks: z.literal('object'), kind: z.string(), name: z.string() }),
    ]),
    near: texts,
  }),
  'unknown-kind': z.discriminatedUnion('reason', [
    z.object({
      reason: z.literal('absent'),
      kind: z.string(),
      argument: z.string(),
      near: texts,
      asPod: z.string().optional(),
    }),
    z.object({
      reason: z.literal('not-shown'),
      kind: z.string(),
      namespaces: texts,
      near: texts,
      kinds: texts,
    }),
  ]),
  'kind-not-readable': z.object({ type: z.string() }),
  'no-source': z.object({}),
  'bad-source': z.object({
    argument: z.string(),
    fault: SourceFault,
    meant: z.object({ kind: z.string(), source: z.string() }).optional(),
  }),
  'bad-namespace': z.object({ name: z.string(), fault: NameFault }),
  'bad-selector': z.object({
    text: z.string(),
    index: z.number(),
    problem: z.enum([
      'no-comma',
      'no-key',
      'not-a-key',
      'not-a-value',
      'no-number',
      'no-opening',
      'no-closing',
    ]),
  }),
  'container-not-found': z.object({
    source: z.string(),
    container: z.string().optional(),
    containers: NameList,
    near: texts,
  }),
});
