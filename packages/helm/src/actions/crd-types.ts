import type { ResourceType } from '@logtool/kube/src/client.ts';
import { sleep } from '@logtool/kube/src/values/clock.ts';
import { textAt } from '../apply/cluster-object.ts';
import { findType, type Target } from '../apply/target.ts';
import { helmFailure } from '../failures.ts';
import type { Value, ValueMap } from '../value/value.ts';
import { type ActionContext, readTypes } from './action.ts';

/** Delay between two discovery requests: a poll, not a retry. */
const CHECK_EVERY_MS = 500;
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;

/**
 * Returns the kinds that `crds` will add once they are installed, without those that the cluster already serves. With
 * them, all objects of a chart are known before the first change, including its custom resources.
 * https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/
 */
export function comingTypes(
  crds: readonly Target[],
  types: readonly ResourceType[],
): readonly ResourceType[] {
  return crds.flatMap(typesOf).filter((type) => !isServed(type, types));
}

/** Whether the cluster serves everything that a definition defines: then it exists and needs no permission. */
export function isDefined(crd: Target, types: readonly ResourceType[]): boolean {
  const defined = typesOf(crd);
  return defined.length > 0 && defined.every((type) => isServed(type, types));
}

function isServed({ group, version, kind }: ResourceType, types: readonly ResourceType[]): boolean {
  return findType(types, { apiVersion: `${group}/${version}`, kind }) !== undefined;
}

function typesOf({ object }: Target): readonly ResourceType[] {
  return object.kind === 'CustomResourceDefinition' ? definedTypes(mapOf(object.content.get('spec'))) : [];
}

function definedTypes(spec: ValueMap): readonly ResourceType[] {
  const names = mapOf(spec.get('names'));
  const kind = textAt(names, 'kind');
  const plural = textAt(names, 'plural');
  const group = textAt(spec, 'group');
  if (kind === '' || plural === '' || group === '') return [];
  return listOf(spec.get('versions'))
    .map(mapOf)
    .filter((version) => version.get('served') === true)
    .map((version) => ({
      group,
      version: textAt(version, 'name'),
      plural,
      singular: textAt(names, 'singular') || kind.toLowerCase(),
      kind,
      shortNames: listOf(names.get('shortNames')).filter((name) => typeof name === 'string'),
      namespaced: textAt(spec, 'scope') === 'Namespaced',
      verbs: VERBS,
    }));
}

/**
 * Waits until the cluster serves all of `coming`, and returns all kinds that it serves. Discovery lags behind an
 * established definition.
 * @throws CodedError `wait-timeout`, naming the missing kinds; the signal's reason when it is aborted.
 */
export async function readTypesWith(
  context: ActionContext,
  coming: readonly ResourceType[],
  timeoutMs: number,
): Promise<readonly ResourceType[]> {
  const deadline = context.clock.now() + timeoutMs;
  while (true) {
    const types = await readTypes(context, true);
    const missing = coming
      .filter((type) => !isServed(type, types))
      .map(({ group, version, kind }) => `${kind} of ${group}/${version}`);
    if (missing.length === 0) return types;
    const leftMs = deadline - context.clock.now();
    if (leftMs <= 0) throw helmFailure('wait-timeout', { of: 'kinds', timeoutMs, missing });
    await sleep(context.clock, Math.min(CHECK_EVERY_MS, leftMs), context.signal);
  }
}

const mapOf = (value: Value | undefined): ValueMap => (value instanceof Map ? value : new Map());
const listOf = (value: Value | undefined): readonly Value[] => (Array.isArray(value) ? value : []);
