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

/** How long rights may take to come after a namespace, and a namespace to go. */
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

/** The namespace in which a run works. */
export interface TestNamespace {
  readonly namespace: string;
  /** Value of the label MARK on all that the run makes. */
  readonly mark: string;
  /** Takes away all that the run made, and waits until it is gone. */
  clear(signal: AbortSignal): Promise<void>;
}

/** Makes a namespace, or takes the one that is given. Throws when there, or so far, a right is missing. */
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
    // If somebody else gives the rights in new namespaces, they come a moment later.
    await demandRights(client, name, PATIENCE_MS, signal);
  } catch (error) {
    // A request without an answer, after a cut or Ctrl-C, may have succeeded all the same.
    if (isMade || !isRefusal(error)) await clear(AbortSignal.timeout(PATIENCE_MS));
    if (isMade || !isKubeError(error, 'forbidden')) throw error;
    const next = '--namespace NAME takes one that is there and that you have the role admin in';
    throw new Error(`no namespace can be made here: ${error.message}\n${next}`, { cause: error });
  }
  return { namespace: name, mark, clear };
}

/** Whether the cluster refused to create such a namespace. */
function isRefusal(error: unknown): boolean {
  return REFUSALS.some((kind) => isKubeError(error, kind));
}

/** Rights can be had in a namespace that is not there. */
async function demandNamespace(client: KubeClient, name: string, signal: AbortSignal): Promise<void> {
  try {
    await client.get(NAMESPACES, { name }, { signal });
  } catch (error) {
    // Someone who may work in it may not always read it.
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
      // Someone who may create namespaces may not always read them: then the cluster decides.
      if (isKubeError(error, 'not-found') || isKubeError(error, 'forbidden')) return;
      throw error;
    }
    await sleep(systemClock, POLL_MS, signal);
  }
}

/** What makes others goes first, so that nothing comes back. */
async function clearMarked(
  client: KubeClient,
  namespace: string,
  mark: string,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    let left = 0;
    for (const type of MADE) {
      const query = { namespace, labelSelector: `${MARK}=${mark}`, metadataOnly: true };
      for await (const { items } of client.list(type, query, { signal })) {
        for (const { metadata } of items) {
          left++;
          if (metadata.deletionTimestamp !== undefined) continue;
          const body = { propagationPolicy: 'Background' };
          await unlessGone(() => client.delete(type, { namespace, name: metadata.name }, { signal, body }));
        }
      }
    }
    if (left === 0) return;
    await sleep(systemClock, POLL_MS, signal);
  }
}

async function unlessGone(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!isKubeError(error, 'not-found')) throw error;
  }
}
