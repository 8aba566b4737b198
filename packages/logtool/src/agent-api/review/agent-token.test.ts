import { KubeError } from '@logtool/kube/src/errors.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { agentOf } from './agent-token.ts';

const account = 'system:serviceaccount:logtool:logtool-agent';
const BOUND = {
  'authentication.kubernetes.io/node-name': ['node-1'],
  'authentication.kubernetes.io/pod-name': ['logtool-agent-x'],
  'authentication.kubernetes.io/pod-uid': ['u1'],
};
const AGENT = { user: account, uid: '1', groups: [], extra: BOUND };
const without = (key: string, values?: string[]) => ({
  ...AGENT,
  extra: { ...BOUND, [`authentication.kubernetes.io/${key}`]: values ?? [] },
});

async function check(token: string, answer: () => Promise<typeof AGENT | undefined>) {
  const asked: string[] = [];
  const client = {
    reviewToken: (sent: string, audience: string) => {
      asked.push(`${sent} ${audience}`);
      return answer();
    },
  };
  const options = { client, clock: new FakeClock(), account };
  return { asked, result: await agentOf(token, options, new AbortController().signal) };
}

test('knows an agent by the pod that its token is bound to', async () => {
  const { asked, result } = await check('a.b-c_d', async () => AGENT);
  expect(asked).toEqual(['a.b-c_d logtool-api']);
  expect(result).toEqual({ agent: { node: 'node-1', pod: 'logtool-agent-x', podUid: 'u1' } });
});

test.each([
  ['refused', undefined],
  ['other-account', { ...AGENT, user: 'system:serviceaccount:other:logtool-agent' }],
  ['other-account', { ...AGENT, user: 'logtool-agent' }],
  ['not-bound', { ...AGENT, extra: {} as typeof BOUND }],
  ['not-bound', without('node-name')],
  ['not-bound', without('pod-name')],
  ['not-bound', without('pod-uid', [''])],
  ['not-bound', without('node-name', ['node-1', 'node-2'])],
])('is %s: %j', async (problem, user) => {
  const { result } = await check('token', async () => user);
  expect(result).toMatchObject({ problem, status: { code: 401, reason: 'Unauthorized' } });
});

test.each([[''], ['a b'], ['a\nb'], ['é'], ['a'.repeat(16_385)]])(
  'sends no text that is no token',
  async (text) => {
    const { asked, result } = await check(text, async () => AGENT);
    expect([asked, result]).toMatchObject([[], { problem: 'not-a-token', status: { code: 401 } }]);
  },
);

test('an API server that does not answer is 503', async () => {
  const { result } = await check('token', () => Promise.reject(new KubeError({ kind: 'connection' })));
  expect(result).toMatchObject({ problem: 'unanswered', status: { code: 503 } });
});
