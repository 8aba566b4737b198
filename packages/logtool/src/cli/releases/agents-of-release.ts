import type { X509Certificate } from 'node:crypto';
import type { ActionContext } from '@logtool/helm/src/actions/action.ts';
import { type ClusterObject, metadataOf } from '@logtool/helm/src/apply/cluster-object.ts';
import { readManifest } from '@logtool/helm/src/apply/read-manifest.ts';
import type { Release } from '@logtool/helm/src/release/release.ts';
import { DAEMON_SETS, DEPLOYMENTS, PODS, SECRETS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject, ResourceType } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { type Why, whyOf } from '@logtool/kube/src/values/problems.ts';
import { readCertificates } from '../../agent-api/front-proxy/request-header.ts';
import { GROUP, VERSION } from '../../agent-api/routes/api-documents.ts';

/** What was read, or why it could not be. */
export type Read<T> = T | { readonly why: Why };

/** How many of something are ready. */
export interface Ready {
  readonly ready: number;
  readonly wanted: number;
}

/** Whether the agents of a release and their API work. */
export interface AgentsState {
  /** By nodes; `without`: those whose agent exists and is not ready. */
  readonly agents: Read<Ready & { readonly without: readonly string[] }>;
  readonly api: Read<Ready>;
  /** Whether the API server reaches the API; undefined: the release has no APIService. */
  readonly served: Read<{ readonly answers: true }> | undefined;
  /** When the certificate of the API and the newest authority end, in ms since the epoch; undefined: there is none yet. */
  readonly ends: Read<{ readonly certificate: number | undefined; readonly authority: number | undefined }>;
}

interface AgentSet extends KubeObject {
  readonly status?: { readonly numberReady?: number; readonly desiredNumberScheduled?: number };
}

interface ApiDeployment extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly readyReplicas?: number };
}

interface AgentPod extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

interface CertificateSecret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const COMPONENT = 'app.kubernetes.io/component';

/** Reads how the agents of a release are; undefined if it has none. */
export async function agentsOf(
  { client, signal }: Pick<ActionContext, 'client' | 'signal'>,
  release: Release,
): Promise<AgentsState | undefined> {
  const objects = readManifest(release.manifest);
  const nameOf = (kind: string, component: string) =>
    objects.find((object) => object.kind === kind && labelOf(object, COMPONENT) === component)?.name;
  const names = {
    agents: nameOf('DaemonSet', 'agent'),
    api: nameOf('Deployment', 'api'),
    secret: nameOf('Secret', 'api'),
  };
  if (names.agents === undefined) return undefined;
  const get = <T extends KubeObject>(type: ResourceType, name = '') =>
    client.get<T>(type, { namespace: release.namespace, name }, { signal });
  const isServed = objects.some(({ kind, name }) => kind === 'APIService' && name === `${VERSION}.${GROUP}`);
  const served = async () => {
    await client.groupVersion(GROUP, VERSION, { signal });
    return { answers: true } as const;
  };
  const selector = `${COMPONENT}=agent,app.kubernetes.io/instance=${release.name}`;
  const [agents, api, answers, ends] = await Promise.all([
    attempt(async () => {
      const { status = {} } = await get<AgentSet>(DAEMON_SETS, names.agents);
      const { numberReady: ready = 0, desiredNumberScheduled: wanted = 0 } = status;
      const without = ready === wanted ? [] : await unreadyNodes({ client, signal }, release, selector);
      return { ready, wanted, without };
    }),
    attempt(async () => {
      const { spec, status } = await get<ApiDeployment>(DEPLOYMENTS, names.api);
      return { ready: status?.readyReplicas ?? 0, wanted: spec?.replicas ?? 1 };
    }),
    isServed ? attempt(served) : undefined,
    attempt(async () => endsIn(await get<CertificateSecret>(SECRETS, names.secret))),
  ]);
  return { agents, api, served: answers, ends };
}

async function attempt<T>(read: () => Promise<T>): Promise<Read<T>> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof KubeError) return { why: whyOf(error) };
    throw error;
  }
}

async function unreadyNodes(
  { client, signal }: Pick<ActionContext, 'client' | 'signal'>,
  { namespace }: Release,
  labelSelector: string,
): Promise<readonly string[]> {
  const nodes: string[] = [];
  for await (const { items } of client.list<AgentPod>(PODS, { namespace, labelSelector }, { signal })) {
    for (const { spec, status } of items) {
      const isReady = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');
      if (isReady !== true && spec?.nodeName !== undefined) nodes.push(spec.nodeName);
    }
  }
  return nodes.sort();
}

function endsIn({ data = {} }: CertificateSecret) {
  const ends = (key: string) => {
    const read = readCertificates(Buffer.from(data[key] ?? '', 'base64').toString(), key);
    const each = Array.isArray(read) ? read.map((one: X509Certificate) => Date.parse(one.validTo)) : [];
    return each.length === 0 ? undefined : Math.max(...each);
  };
  return { certificate: ends('tls.crt'), authority: ends('ca.crt') };
}

function labelOf({ content }: ClusterObject, name: string): unknown {
  const labels = metadataOf(content).get('labels');
  return labels instanceof Map ? labels.get(name) : undefined;
}
