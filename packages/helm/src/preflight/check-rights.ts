import type { KubeClient, RequestOptions, ResourceType } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { inParallel } from '@logtool/kube/src/values/in-parallel.ts';
import { whyOf } from '@logtool/kube/src/values/problems.ts';
import { isKeptTarget } from '../apply/delete-target.ts';
import type { Target } from '../apply/target.ts';
import { helmFailure, type RightRef } from '../failures.ts';
import type { Hook } from '../release/release.ts';

/** A permission that an action needs. */
export interface Right {
  readonly verb: string;
  readonly type: ResourceType;
  readonly namespace?: string | undefined;
  /** For a verb on one known object: roles may name the object. */
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
  /** Permission for all of these makes this one unnecessary. */
  readonly insteadAll?: readonly Right[] | undefined;
}

/** A missing permission, and the missing ones among those that would serve instead. */
interface Missing extends Right {
  readonly lacking: readonly Right[];
}

/** Maximum concurrent access reviews. */
const CONCURRENCY = 8;

/** Returns the permissions to apply objects: existing ones only need changes. */
export function rightsToApply(targets: readonly Target[], exists: (target: Target) => boolean): Right[] {
  return targets.flatMap((target) => {
    const { object, type, namespace } = target;
    if (object.name === '') return [{ verb: 'create', type, namespace }];
    const { name } = object;
    // Server-side apply requests `create` with the name of the new object, so roles may name it here.
    const make: Right = { verb: 'create', type, namespace, name };
    const change = ['get', 'patch'].map((verb): Right => ({ verb, type, namespace, name }));
    return exists(target) ? change : [make, ...change];
  });
}

/** Returns the permissions to run hooks: to create them again, and to delete them as their policies demand. */
export function rightsToRun(hooks: readonly Hook[], targetsOf: (hook: Hook) => readonly Target[]): Right[] {
  return hooks.flatMap((hook) => {
    const targets = targetsOf(hook);
    const deleted = targets.filter(({ object }) => object.name !== '').flatMap(deletionOf);
    return [
      ...rightsToApply(targets, () => false),
      ...(hook.kind === 'CustomResourceDefinition' ? [] : deleted),
    ];
  });
}

/** Returns the permissions to delete objects, except those that their resource policy keeps. */
export function rightsToDelete(targets: readonly Target[]): Right[] {
  return targets.filter((target) => !isKeptTarget(target)).flatMap(deletionOf);
}

function deletionOf({ object, type, namespace }: Target): Right[] {
  return ['get', 'delete'].map((verb): Right => ({ verb, type, namespace, name: object.name }));
}

/** Returns the permissions for the records of a release in its namespace, for the verbs that the action uses. */
export function rightsToRecord(type: ResourceType, namespace: string, verbs: readonly string[]): Right[] {
  return verbs.map((verb): Right => ({ verb, type, namespace }));
}

/**
 * Checks all permissions by access reviews, before the action uses any of them.
 * @throws CodedError `rights-missing`, naming verb, resource and namespace of each missing one; `rights-unknown` if the
 * user may not even create access reviews.
 */
export async function checkRights(
  client: KubeClient,
  rights: readonly Right[],
  options: RequestOptions,
): Promise<void> {
  const missing = await missingOf(client, rights, options);
  const instead = await missingOf(
    client,
    missing.flatMap(({ insteadAll = [] }) => insteadAll),
    options,
  );
  const lacks = new Set(instead.map(rightKey));
  const lacking = missing.map(
    (right): Missing => ({
      ...right,
      lacking: (right.insteadAll ?? []).filter((one) => lacks.has(rightKey(one))),
    }),
  );
  const needed = lacking.filter(
    ({ insteadAll, lacking: some }) => insteadAll === undefined || some.length > 0,
  );
  if (needed.length === 0) return;
  const all = needed.map((right) => ({ ...rightRef(right), lacking: right.lacking.map(rightRef) }));
  throw helmFailure('rights-missing', { user: client.cluster.user, missing: all });
}

async function missingOf(
  client: KubeClient,
  rights: readonly Right[],
  options: RequestOptions,
): Promise<readonly Right[]> {
  const questions = new Map(rights.map((right) => [rightKey(right), right]));
  const isMissing = async (right: Right): Promise<boolean> => {
    const { verb, type, namespace, name, subresource } = right;
    const review = {
      verb,
      group: type.group,
      resource: type.plural,
      subresource,
      name,
      namespace: type.namespaced ? namespace : undefined,
    };
    return !(await client.review(review, options));
  };
  try {
    const asked = [...questions.values()];
    const missing = await inParallel(CONCURRENCY, asked, isMissing);
    return asked.filter((_, index) => missing[index]);
  } catch (error) {
    if (!isKubeError(error, 'forbidden')) throw error;
    // By default a cluster lets every user do so, but an administrator can revoke it.
    const data = { user: client.cluster.user, why: whyOf(error) };
    throw helmFailure('rights-unknown', data, { cause: error });
  }
}

function rightKey({ verb, type, namespace, name, subresource }: Right): string {
  return JSON.stringify([verb, type.group, type.plural, subresource, namespace, name]);
}

function rightRef({ verb, type, subresource, namespace, name }: Right): RightRef {
  return {
    verb,
    group: type.group,
    resource: type.plural,
    subresource,
    namespace: type.namespaced ? namespace : undefined,
    name,
  };
}
