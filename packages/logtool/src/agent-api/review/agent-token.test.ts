import { KubeError } from '@logtool/kube/src/errors.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { type AgentTokenOptions, agentOf } from './agent-token.ts';

const BOUND = {
  'authentication.kubernetes.io/pod-name': ['logtool-agent-x'],
  'authentication.kubernetes.io/pod-uid': ['u1'],
};
const AGENT = {
  user: 'system:serviceaccount:logtool:logtool-agent',
  uid: '1',
  groups: [],
  extra: { ...BOUND, 'authentication.kubernetes.io/node-name': ['node-1'] } as Record<string, string[]>,
};
const withExtra = (key: string, values: string[]) => ({
  ...AGENT,
  extra: { ...AGENT.extra, [`authentication.kubernetes.io/${key}`]: values },
});
const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'logtool-agent-x', namespace: 'logtool', uid: 'u1', resourceVersion: '1' },
  spec: { nodeName: 'node-1', serviceAccountName: 'logtool-agent' },
};

interface World {
  readonly review?: () => Promise<typeof AGENT | undefined>;
  readonly pod?: () => Promise<object>;
}

async function check(token: string, { review = async () => AGENT, pod = async () => POD }: World = {}) {
  const asked: string[] = [];
  const client: AgentTokenOptions['client'] = {
    reviewToken: (sent, audience) => {
      asked.push(`${sent} ${audience}`);
      return review();
    },
    get: (async (type: { readonly plural: string }, ref: object) => {
      asked.push(`${type.plural} ${Object.values(ref).join('/')}`);
      return pod();
    }) as AgentTokenOptions['client']['get'],
  };
  const options = { client, clock: new FakeClock(), namespace: 'logtool', account: 'logtool-agent' };
  return { asked, result: await agentOf(token, options, new AbortController().signal) };
}

const KNOWN = { agent: { node: 'node-1', pod: 'logtool-agent-x', podUid: 'u1' } };

test('knows an agent by the pod that its token is bound to', async () => {
  const { asked, result } = await check('a.b-c_d');
  expect(asked).toEqual(['a.b-c_d logtool-api', 'pods logtool/logtool-agent-x']);
  expect(result).toEqual(KNOWN);
});

test('knows the node by the pod where the server does not name it', async () => {
  const { result } = await check('token', { review: async () => ({ ...AGENT, extra: BOUND }) });
  expect(result).toEqual(KNOWN);
});

test.each([
  ['refused', undefined],
  ['other-account', { ...AGENT, user: 'system:serviceaccount:other:logtool-agent' }],
  ['other-account', { ...AGENT, user: 'logtool-agent' }],
  ['not-bound', { ...AGENT, extra: {} }],
  ['not-bound', withExtra('pod-name', [])],
  ['not-bound', withExtra('pod-uid', [''])],
  ['not-bound', withExtra('pod-uid', ['u1', 'u2'])],
  ['other-pod', withExtra('pod-uid', ['u2'])],
  ['other-node', withExtra('node-name', ['node-2'])],
  ['other-node', withExtra('node-name', ['node-1', 'node-2'])],
  ['other-node', withExtra('node-name', [])],
])('a token is %s: %j', async (problem, user) => {
  const { result } = await check('token', { review: async () => user });
  expect(result).toMatchObject({ problem, status: { code: 401, reason: 'Unauthorized' } });
});

test.each<[string, object]>([
  ['other-account', { ...POD, spec: { ...POD.spec, serviceAccountName: 'default' } }],
  ['other-account', { ...POD, spec: undefined }],
  ['other-node', { ...POD, spec: { serviceAccountName: 'logtool-agent' } }],
  ['other-pod', { ...POD, metadata: { ...POD.metadata, uid: 'u2' } }],
])('its pod is of %s: %j', async (problem, pod) => {
  const { result } = await check('token', { pod: async () => pod });
  expect(result).toMatchObject({ problem, status: { code: 401 } });
});

test('a pod that is gone proves nothing', async () => {
  const pod = () => Promise.reject(new KubeError({ kind: 'not-found' }));
  expect((await check('token', { pod })).result).toMatchObject({
    problem: 'other-pod',
    status: { code: 401 },
  });
});

test.each([[''], ['a b'], ['a\nb'], ['é'], ['a'.repeat(16_385)]])(
  'sends no text that is no token',
  async (text) => {
    const { asked, result } = await check(text);
    expect([asked, result]).toMatchObject([[], { problem: 'not-a-token', status: { code: 401 } }]);
  },
);

test.each(['review', 'pod'] as const)('an API server that does not answer is 503: %s', async (missing) => {
  const error = new KubeError({ kind: 'connection' });
  const { result } = await check('token', { [missing]: () => Promise.reject(error) });
  expect(result).toMatchObject({ problem: 'unanswered', status: { code: 503 }, cause: error });
});
