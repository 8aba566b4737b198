import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type ApiServer, startApiServer } from '@logtool/simcluster/src/api/http/server.ts';
import type { NodeAgent } from '@logtool/simcluster/src/node-agent.ts';
import { createStore } from '@logtool/simcluster/src/store/memory-store.ts';
import type { Store } from '@logtool/simcluster/src/store/store.ts';
import { load } from 'js-yaml';
import { jsonBody, readRecording } from './recordings.ts';

/** The lists that contain all of the recorded cluster's objects. */
const LISTS: Readonly<Record<string, string>> = {
  'list/namespaces': 'namespaces',
  'list/nodes': 'nodes',
  'list/pods': 'pods',
  'list/services': 'services',
  'list/deployments': 'deployments.apps',
  'list/replicasets': 'replicasets.apps',
  'list/statefulsets': 'statefulsets.apps',
  'list/daemonsets': 'daemonsets.apps',
  'list/cronjobs': 'cronjobs.batch',
  'list/jobs': 'jobs.batch',
  'list/endpointslices': 'endpointslices.discovery.k8s.io',
  'list/controllerrevisions': 'controllerrevisions.apps',
  'list/events': 'events',
};
const USERS = ['ns-reader', 'no-watch', 'named-only', 'nobody'];
/** When the lists and tables were recorded. */
const RECORDED_AT = Date.parse('2026-11-21T02:00:47Z');
/** Waits are shorter than in the recordings by this factor. */
const HASTE = 40;

/** Stands still, so that ages match the recordings; timers still fire, faster than real time. */
const clock: Clock = {
  now: () => RECORDED_AT,
  steady: () => RECORDED_AT,
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs / HASTE);
    return () => clearTimeout(timer);
  },
};

export interface World {
  readonly store: Store;
  readonly server: ApiServer;
  readonly credentials: ReadonlyMap<string, Credentials>;
  close(): Promise<void>;
}

export interface Credentials {
  readonly token?: string;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/** Starts a server with the objects and users of the recorded cluster. */
export async function startWorld(): Promise<World> {
  const store = createStore({ clock });
  for (const [name, resource] of Object.entries(LISTS)) {
    const list = jsonBody(readRecording(name)) as { kind: string; apiVersion: string; items: object[] };
    const kind = list.kind.replace(/List$/, '');
    for (const item of list.items) store.create(resource, { apiVersion: list.apiVersion, kind, ...item });
  }
  for (const [resource, count] of Object.entries(UNSEEN)) fill(store, resource, count);
  const quiet = jsonBody(readRecording('watch/single-object-path')) as object;
  store.create('pods', quiet);
  for (const user of USERS) grant(store, user);
  store.compact();
  const directory = await mkdtemp(join(tmpdir(), 'replay-'));
  const server = await startApiServer({
    store,
    clock,
    directory,
    nodeAgent: recordedLogs,
    users: [
      ...USERS.map((name) => ({ name, auth: 'certificate' as const })),
      { name: 'bad-token', auth: 'token', expired: true },
      { name: 'expired-cert', auth: 'certificate', expired: true },
    ],
  });
  return {
    store,
    server,
    credentials: await readCredentials(server.kubeconfig),
    async close() {
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** Objects after the recorded page of a list; only their number is known. */
const UNSEEN: Readonly<Record<string, number>> = {
  'controllerrevisions.apps': 1,
  'jobs.batch': 2,
  events: 148,
};

function fill(store: Store, resource: string, count: number): void {
  for (let index = 0; index < count; index++) {
    const metadata = { name: `zz-unseen-${String(index).padStart(3, '0')}`, namespace: 'shop' };
    store.create(resource, { apiVersion: 'v1', kind: 'Unseen', metadata });
  }
}

/** Grants a user the rules of its recorded rules review that not everybody has. */
function grant(store: Store, user: string): void {
  const review = jsonBody(readRecording(`rbac/${user}-ssrr`)) as {
    status: { resourceRules: { resources: string[] }[] };
  };
  const rules = review.status.resourceRules.filter((rule) => !rule.resources[0]?.startsWith('selfsubject'));
  if (rules.length === 0) return;
  const metadata = { name: user === 'ns-reader' ? 'log-reader' : `log-${user}`, namespace: 'shop' };
  const group = 'rbac.authorization.k8s.io';
  store.create(`roles.${group}`, { apiVersion: `${group}/v1`, kind: 'Role', metadata, rules });
  store.create(`rolebindings.${group}`, {
    apiVersion: `${group}/v1`,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: group, kind: 'Role', name: metadata.name },
    subjects: [{ apiGroup: group, kind: 'User', name: user }],
  });
}

/** The kubelet's own tests cover logs; here they only pass through. */
const recordedLogs: NodeAgent = {
  containerLog: async ({ pod }) => ({ kind: 'stream', body: once(`the log of ${pod}\n`) }),
  proxied: () => Promise.reject(new Error('no recording asks for a node')),
};

async function* once(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

async function readCredentials(kubeconfig: string): Promise<ReadonlyMap<string, Credentials>> {
  const { users } = load(await readFile(kubeconfig, 'utf8')) as {
    users: { name: string; user: Record<string, string> }[];
  };
  const decode = (text: string | undefined) => Buffer.from(text ?? '', 'base64');
  return new Map(
    users.map(({ name, user }) => [
      name,
      user.token === undefined
        ? { cert: decode(user['client-certificate-data']), key: decode(user['client-key-data']) }
        : { token: user.token },
    ]),
  );
}
