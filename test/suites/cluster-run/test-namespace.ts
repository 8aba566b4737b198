import {
  CONFIG_MAPS,
  CRON_JOBS,
  DAEMON_SETS,
  DEPLOYMENTS,
  JOBS,
  NAMESPACES,
  PODS,
  STATEFUL_SETS,
} from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, ResourceType } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { sleep, systemClock } from '@logtool/kube/src/values/clock.ts';
import { ROLE_BINDINGS, ROLES, SERVICE_ACCOUNTS } from '../../support/conformance/cluster.ts';
import { MARK } from '../../support/conformance/mark.ts';

/** Time limit for permissions to appear in a new namespace, and for a namespace to disappear. */
const PATIENCE_MS = 120_000;
const POLL_MS = 500;
const CONTROLLERS = [CRON_JOBS, JOBS, DEPLOYMENTS, STATEFUL_SETS, DAEMON_SETS];
const MADE: readonly ResourceType[] = [
  ...CONTROLLERS,
  PODS,
  CONFIG_MAPS,
  ROLE_BINDINGS,
  ROLES,
  SERVICE_ACCOUNTS,
];

const REFUSALS = ['unauthorized', 'forbidden', 'conflict', 'bad-request', 'tls', 'credentials'] as const;

/** The namespace that a run uses. */
export interface TestNamespace {
  readonly namespace: string;
  /** Value of the label MARK on all objects that the run creates. */
  readonly mark: string;
  /** Removes everything that the run created, and waits until it is gone. */
  clear(signal: AbortSignal): Promise<void>;
}

/** Creates a namespace, or uses the given one. Throws if a permission is missing. */
export async function findNamespace(
  client: KubeClient,
  given: string | undefined,
  signal: AbortSignal,
): Promise<TestNamespace> {
  const mark = `run-${Date.now().toString(36)}-${process.pid}`;
  if (given !== undefined) {
    await demandNamespace(client, given, signal);
    await demandRights(client, given, 0, signal);
    return { namespace: given, mark, clear: (until) => clearMarked(client, given, mark, until) };
  }
  const name = `logtool-test-${mark.slice(4)}`;
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { [MARK]: mark } } };
  const clear = (until: AbortSignal) => removeNamespace(client, name, until);
  let isMade = false;
  try {
    await client.create(NAMESPACES, undefined, namespace, { signal });
    isMade = true;
    // If another component grants permissions in new namespaces, they appear a moment later.
    await demandRights(client, name, PATIENCE_MS, signal);
  } catch (error) {
    // A request without an answer, after a cut or Ctrl-C, may still have succeeded.
    if (isMade || !isRefusal(error)) await clear(AbortSignal.timeout(PATIENCE_MS));
    if (isMade || !isKubeError(error, 'forbidden')) throw error;
    const next = '--namespace NAME takes one that is there and that you have the role admin in';
    throw new Error(`no namespace can be made here: ${error.message}\n${next}`, { cause: error });
  }
  return { namespace: name, mark, clear };
}

/** Whether the cluster refused to create the namespace. */
function isRefusal(error: unknown): boolean {
  return REFUSALS.some((kind) => isKubeError(error, kind));
}

/** Access reviews can succeed for a namespace that does not exist. */
async function demandNamespace(client: KubeClient, name: string, signal: AbortSignal): Promise<void> {
  try {
    await client.get(NAMESPACES, { name }, { signal });
  } catch (error) {
    // A user who may work in the namespace may lack permission to read it.
    if (isKubeError(error, 'forbidden')) return;
    if (!isKubeError(error, 'not-found')) throw error;
    throw new Error(`there is no namespace ${name}: without --namespace one is made, and removed`, {
      cause: error,
    });
  }
}

async function demandRights(
  client: KubeClient,
  namespace: string,
  patienceMs: number,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const missing = await missingRights(client, namespace, signal);
    if (missing.length === 0) return;
    if (Date.now() >= deadline) {
      throw new Error(`rights are missing in namespace ${namespace}: to ${missing.join(', to ')}`);
    }
    await sleep(systemClock, POLL_MS, signal);
  }
}

async function missingRights(client: KubeClient, namespace: string, signal: AbortSignal): Promise<string[]> {
  const wanted = [
    ...MADE.flatMap(({ group, plural }) =>
      ['create', 'delete', 'list'].map((verb) => ({ verb, group, resource: plural })),
    ),
    { verb: 'patch', group: 'apps', resource: 'deployments' },
    { verb: 'watch', group: '', resource: 'pods' },
    { verb: 'get', group: '', resource: 'pods', subresource: 'log' },
    { verb: 'create', group: '', resource: 'serviceaccounts', subresource: 'token' },
  ];
  const missing: string[] = [];
  for (const right of wanted) {
    if (await client.review({ ...right, namespace }, { signal })) continue;
    const { verb, group, resource, subresource } = { subresource: undefined, ...right };
    missing.push(`${verb} ${resource}${group && `.${group}`}${subresource ? `/${subresource}` : ''}`);
  }
  return missing;
}

async function removeNamespace(client: KubeClient, name: string, signal: AbortSignal): Promise<void> {
  await unlessGone(() => client.delete(NAMESPACES, { name }, { signal }));
  for (;;) {
    try {
      await client.get(NAMESPACES, { name }, { signal });
    } catch (error) {
      // A user who may create namespaces may lack permission to read them; the cluster then decides.
      if (isKubeError(error, 'not-found') || isKubeError(error, 'forbidden')) return;
      throw error;
    }
    await sleep(systemClock, POLL_MS, signal);
  }
}

/** Deletes controllers first, so that they recreate nothing. */
async function clearMarked(
  client: KubeClient,
  namespace: string,
  mark: string,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    let left = 0;
    for (const type of MADE) left += await deleteMarked(client, type, namespace, mark, signal);
    if (left === 0) return;
    await sleep(systemClock, POLL_MS, signal);
  }
}

/** Asks for the deletion of all marked objects of a type; returns how many are still there. */
async function deleteMarked(
  client: KubeClient,
  type: (typeof MADE)[number],
  namespace: string,
  mark: string,
  signal: AbortSignal,
): Promise<number> {
  let left = 0;
  const query = { namespace, labelSelector: `${MARK}=${mark}`, metadataOnly: true };
  for await (const { items } of client.list(type, query, { signal })) {
    left += items.length;
    for (const { metadata } of items) {
      if (metadata.deletionTimestamp !== undefined) continue;
      const body = { propagationPolicy: 'Background' };
      await unlessGone(() => client.delete(type, { namespace, name: metadata.name }, { signal, body }));
    }
  }
  return left;
}

async function unlessGone(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!isKubeError(error, 'not-found')) throw error;
  }
}
