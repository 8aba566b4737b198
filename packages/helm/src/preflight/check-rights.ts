import type { KubeClient, RequestOptions, ResourceType } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { isKeptTarget } from '../apply/delete-target.ts';
import type { Target } from '../apply/target.ts';
import type { Hook } from '../release/release.ts';

/** One thing that an action is about to do. */
export interface Right {
  readonly verb: string;
  readonly type: ResourceType;
  readonly namespace?: string | undefined;
  /** For a verb that acts on one object that is known: roles may name it. */
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
  /** Whoever has all of these does not need it. */
  readonly insteadAll?: readonly Right[] | undefined;
}

/** A right that somebody lacks, and what they lack of those that would do instead. */
interface Missing extends Right {
  readonly lacking: readonly Right[];
}

/** Questions at once. */
const CONCURRENCY = 8;

/** What it takes to apply objects: those that are there already are only changed. */
export function rightsToApply(targets: readonly Target[], isThere: (target: Target) => boolean): Right[] {
  return targets.flatMap((target) => {
    const { object, type, namespace } = target;
    if (object.name === '') return [{ verb: 'create', type, namespace }];
    const { name } = object;
    // Server-side apply asks for it under the name of what it makes: roles may name that here.
    const make: Right = { verb: 'create', type, namespace, name };
    const change = ['get', 'patch'].map((verb): Right => ({ verb, type, namespace, name }));
    return isThere(target) ? change : [make, ...change];
  });
}

/** What it takes to run hooks: they are made anew, and deleted as their policies say. */
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

/** What it takes to delete objects, those aside that their resource policy keeps. */
export function rightsToDelete(targets: readonly Target[]): Right[] {
  return targets.filter((target) => !isKeptTarget(target)).flatMap(deletionOf);
}

function deletionOf({ object, type, namespace }: Target): Right[] {
  return ['get', 'delete'].map((verb): Right => ({ verb, type, namespace, name: object.name }));
}

/** What it takes to keep records of a release in its namespace, by the verbs that are about to be used. */
export function rightsToRecord(type: ResourceType, namespace: string, verbs: readonly string[]): Right[] {
  return verbs.map((verb): Right => ({ verb, type, namespace }));
}

/**
 * Asks the cluster by access reviews whether the person may do all of this, before any of it is done.
 * @throws LogtoolError `rights-missing`, naming verb, resource and namespace of each that is missing; `rights-unknown`
 * where the person may not even ask.
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
  if (needed.length > 0) throw rightsMissing(client, needed);
}

async function missingOf(
  client: KubeClient,
  rights: readonly Right[],
  options: RequestOptions,
): Promise<readonly Right[]> {
  const questions = new Map(rights.map((right) => [rightKey(right), right]));
  const missing: Right[] = [];
  const queue = questions.values();
  const ask = async () => {
    for (const right of queue) {
      const { verb, type, namespace, name, subresource } = right;
      const { group, plural: resource } = type;
      const place = type.namespaced ? namespace : undefined;
      const review = { verb, group, resource, subresource, namespace: place, name };
      if (!(await client.review(review, options))) missing.push(right);
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, ask));
  } catch (error) {
    throw isKubeError(error, 'forbidden') ? rightsUnknown(client, error) : error;
  }
  return missing;
}

/** Clusters let everyone ask, unless somebody took that away. */
function rightsUnknown({ cluster }: KubeClient, cause: Error): LogtoolError {
  return new LogtoolError({
    code: 'rights-unknown',
    what: `${cluster.user || 'this user'} cannot ask the cluster which permissions it has: nothing was changed`,
    why: cause.message,
    next: 'skip the check with --skip-preflight, or ask for the ClusterRole system:basic-user, which normally everyone has',
    cause,
  });
}

function rightKey({ verb, type, namespace, name, subresource }: Right): string {
  return JSON.stringify([verb, type.group, type.plural, subresource, namespace, name]);
}

/** `get pods/log`, `list deployments.apps`. */
function rightText({ verb, type: { group, plural }, subresource }: Right): string {
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  return `${verb} ${group === '' ? resource : `${resource}.${group}`}`;
}

function rightsMissing(client: KubeClient, missing: readonly Missing[]): LogtoolError {
  // One line for each verb and kind: names only where a few of them are meant.
  const lines = new Map<string, Set<string>>();
  for (const right of missing) {
    const { verb, type, namespace, name, lacking } = right;
    const place = type.namespaced ? `in the namespace ${namespace}` : 'in the cluster';
    const given = [...new Set(lacking.map(rightText))].sort().join(', ');
    const line = `${rightText(right)} ${place}${given === '' ? '' : `, or what would be given away: ${given}`}`;
    const names = lines.get(line) ?? new Set();
    // Nobody gives the right to make objects by name, though they could.
    if (name !== undefined && verb !== 'create') names.add(name);
    lines.set(line, names);
  }
  const [first] = missing;
  const why = [...lines]
    .map(([line, names]) => (names.size === 0 ? line : `${line} (${[...names].sort().join(', ')})`))
    .sort();
  return new LogtoolError({
    code: 'rights-missing',
    what: `${client.cluster.user || 'this user'} lacks ${why.length === 1 ? 'a right' : `${why.length} rights`}: nothing was changed`,
    why: why.join('\n'),
    next: `ask for ${why.length === 1 ? 'it' : 'them'}; to check: ${first === undefined ? '' : canI(first)}; --skip-preflight skips the check`,
  });
}

function canI({ verb, type, namespace, name }: Right): string {
  const resource = type.group === '' ? type.plural : `${type.plural}.${type.group}`;
  const object = name === undefined || verb === 'create' ? resource : `${resource}/${name}`;
  return `kubectl auth can-i ${verb} ${object}${type.namespaced ? ` -n ${namespace}` : ''}`;
}
