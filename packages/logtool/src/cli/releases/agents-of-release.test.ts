import type { Release } from '@logtool/helm/src/release/release.ts';
import type { KubeObject } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { expect, test } from 'vitest';
import { fakeClient } from '../../../../../test/support/fake-client.ts';
import { issueAuthority, issueLeaf } from '../../agent-api/certificates/issue.ts';
import { agentsText } from '../messages/helm/agents.ts';
import { agentsOf } from './agents-of-release.ts';

const NOW = Date.parse('2026-11-28T10:00:00Z');
const object = (kind: string, name: string, component: string) =>
  `---\napiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n  labels:\n    app.kubernetes.io/component: ${component}\n`;
const MANIFEST = [
  object('Deployment', 'logs', 'dashboard'),
  object('DaemonSet', 'logs-agent', 'agent'),
  object('Deployment', 'logs-api', 'api'),
  object('Secret', 'logs-api-tls', 'api'),
].join('');
const APISERVICE = object('APIService', 'v1alpha1.logtool.dev', 'api');
const released = (manifest: string) => ({ name: 'logs', namespace: 'ops', manifest }) as Release;

const authority = issueAuthority(NOW);
const leaf = issueLeaf(authority, { commonName: 'logtool-api', dnsNames: ['x'] }, NOW);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const pod = (node: string, status: string) =>
  ({
    metadata: { name: `agent-${node}`, uid: node },
    spec: { nodeName: node },
    status: { conditions: [{ type: 'Ready', status }] },
  }) as unknown as KubeObject;

const OBJECTS: Readonly<Record<string, object>> = {
  'logs-agent': { status: { numberReady: 3, desiredNumberScheduled: 4 } },
  'logs-api': { spec: { replicas: 2 }, status: { readyReplicas: 1 } },
  'logs-api-tls': { data: { 'tls.crt': base64(leaf.certificate), 'ca.crt': base64(authority.certificate) } },
};

function clientThat({
  get = async (name: string) => OBJECTS[name],
  served = async () => ['containerlogs'],
} = {}) {
  return fakeClient({
    get: async (_type, { name }) => (await get(name)) as KubeObject,
    groupVersion: served,
    list: async function* () {
      yield { items: [pod('node-3', 'False'), pod('node-1', 'True')], resourceVersion: '1' };
    },
  });
}

test('counts the nodes whose agent is ready, and says when the certificates end', async () => {
  const state = await agentsOf({ client: clientThat() }, released(MANIFEST + APISERVICE));
  expect(agentsText(state!)).toBe(
    [
      'AGENTS:       ready on 3 of 4 nodes; not on node-3',
      'AGENT API:    1 of 2 replicas ready',
      'API GROUP:    the API server reaches it',
      'CERTIFICATES: that of the API ends on 2026-12-28 and its authority on 2027-11-28; it renews both before',
      '',
    ].join('\n'),
  );
});

test('says nothing of a group that the release does not serve, and nothing of agents that it does not have', async () => {
  const served = () => Promise.reject(new Error('nobody may ask'));
  const state = await agentsOf({ client: clientThat({ served }) }, released(MANIFEST));
  expect(state?.served).toBeUndefined();
  expect(agentsText(state!)).not.toContain('API GROUP');
  const none = released(object('Deployment', 'logs', 'dashboard'));
  expect(await agentsOf({ client: clientThat() }, none)).toBeUndefined();
});

test('says of each why it is unknown', async () => {
  const forbidden = new KubeError({ kind: 'forbidden', message: 'no' });
  const get = () => Promise.reject(forbidden);
  const served = () =>
    Promise.reject(new KubeError({ kind: 'server', message: 'no endpoints', status: 503 }));
  const state = await agentsOf({ client: clientThat({ get, served }) }, released(MANIFEST + APISERVICE));
  const text = agentsText(state!);
  expect(text.match(/unknown: no/g)).toHaveLength(3);
  expect(text).toContain(
    'the API server does not reach it: no endpoints. Until it does, the cluster cannot delete any namespace',
  );
});
