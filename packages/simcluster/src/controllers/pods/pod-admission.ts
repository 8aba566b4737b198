import type { Store, StoredObject } from '../../store/store.ts';
import { type PodSpec, podSpec, podStatus } from '../objects.ts';
import { quantityOf, quantityText } from '../scheduling/quantity.ts';
import { selectorMatches } from '../selects.ts';

/**
 * Returns the API server's text if a namespace rejects a pod, else undefined. The pod's account must exist, a webhook
 * may deny the pod, and quotas limit pods and container requests
 * (kubernetes.io/docs/reference/access-authn-authz/admission-controllers).
 */
export function podRefusal(
  store: Store,
  namespace: string,
  name: string,
  spec: object | undefined,
): string | undefined {
  const account = (spec as { serviceAccountName?: unknown } | undefined)?.serviceAccountName ?? 'default';
  // A new namespace gets the account for pods that name none immediately.
  if (account !== 'default' && store.get('serviceaccounts', namespace, String(account)) === undefined)
    return `pods ${JSON.stringify(name)} is forbidden: error looking up service account ${namespace}/${account}: serviceaccount ${JSON.stringify(account)} not found`;
  const denied = deniedByWebhook(store, namespace);
  if (denied !== undefined) return denied;
  for (const quota of store.list('resourcequotas', namespace)) {
    const problem = quotaProblem(store, namespace, quota, spec);
    if (problem !== undefined) return `pods ${JSON.stringify(name)} is forbidden: ${problem}`;
  }
  return undefined;
}

/** The annotation of a ValidatingWebhookConfiguration that makes its webhooks deny every pod with this text. */
const DENIES = 'simcluster/denies-pods';

interface Webhook {
  readonly name: string;
  readonly namespaceSelector?: object;
}

function deniedByWebhook(store: Store, namespace: string): string | undefined {
  const target = store.get('namespaces', undefined, namespace);
  for (const { metadata, webhooks = [] } of store.list(WEBHOOKS)) {
    const text = metadata.annotations?.[DENIES];
    const webhook = (webhooks as readonly Webhook[]).find(
      ({ namespaceSelector }) =>
        namespaceSelector === undefined ||
        (target !== undefined && selectorMatches(namespaceSelector, target)),
    );
    if (text !== undefined && webhook !== undefined)
      return `admission webhook "${webhook.name}" denied the request: ${text}`;
  }
  return undefined;
}

const WEBHOOKS = 'validatingwebhookconfigurations.admissionregistration.k8s.io';

/** Quota resources that containers request, and the field with the request: pkg/quota/v1/evaluator/core/pods.go. */
const CONTAINER_RESOURCES: Readonly<Record<string, readonly ['requests' | 'limits', 'cpu' | 'memory']>> = {
  cpu: ['requests', 'cpu'],
  memory: ['requests', 'memory'],
  'requests.cpu': ['requests', 'cpu'],
  'requests.memory': ['requests', 'memory'],
  'limits.cpu': ['limits', 'cpu'],
  'limits.memory': ['limits', 'memory'],
};

function quotaProblem(
  store: Store,
  namespace: string,
  quota: StoredObject,
  spec: object | undefined,
): string | undefined {
  const hard = (quota.spec?.hard ?? {}) as Readonly<Record<string, string>>;
  const pods = store.list('pods', namespace);
  // Finished pods use no quota of `pods`, but still count as objects.
  const live = pods.filter((pod) => !['Succeeded', 'Failed'].includes(podStatus(pod).phase));
  for (const [resource, limit] of Object.entries(hard)) {
    const asked = CONTAINER_RESOURCES[resource];
    const problem =
      resource === 'pods' || resource === 'count/pods'
        ? exceeded(resource, 1, (resource === 'pods' ? live : pods).length, limit)
        : asked === undefined
          ? undefined
          : containerProblem(resource, asked, live, spec as PodSpec | undefined, limit);
    if (problem === undefined) continue;
    return problem.startsWith('must')
      ? `failed quota: ${quota.metadata.name}: ${problem}`
      : `exceeded quota: ${quota.metadata.name}, ${problem}`;
  }
  return undefined;
}

function containerProblem(
  resource: string,
  [list, kind]: readonly ['requests' | 'limits', 'cpu' | 'memory'],
  live: readonly StoredObject[],
  spec: PodSpec | undefined,
  limit: string,
): string | undefined {
  const given = ({ resources }: PodSpec['containers'][number]) =>
    resources?.[list]?.[kind] ?? (list === 'requests' ? resources?.limits?.[kind] : undefined);
  const without = (spec?.containers ?? []).filter((container) => given(container) === undefined);
  if (without.length > 0) return `must specify ${resource} for: ${without.map(({ name }) => name).join(',')}`;
  const sum = (containers: PodSpec['containers']) =>
    containers.reduce((total, container) => total + quantityOf(given(container)), 0);
  const used = live.reduce((total, pod) => total + sum(podSpec(pod).containers), 0);
  return exceeded(resource, sum(spec?.containers ?? []), used, limit);
}

function exceeded(resource: string, wanted: number, used: number, limit: string): string | undefined {
  // Quantities are sums of thousandths; a smaller difference is a rounding error.
  if (used + wanted <= quantityOf(limit) + 1e-6) return undefined;
  return `requested: ${resource}=${quantityText(wanted)}, used: ${resource}=${quantityText(used)}, limited: ${resource}=${limit}`;
}
