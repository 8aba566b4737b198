import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:http2';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { createAuthority, type Identity } from '@logtool/simcluster/src/access/tls.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { AggregatedLogs } from '../../../../../test/support/agent-api/aggregated-logs.ts';

/** Who reads logs through the API server, the API of logtool and an agent, and who does not. */
const WEB = 'shop/pods/web/log';
const TEXT = 'text of web\n';
const GROUP = { apiGroups: ['logtool.dev'], resources: ['pods/log'], verbs: ['get'] };
const CORE = { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] };
const LIST = { apiGroups: ['logtool.dev'], resources: ['containerlogs'], verbs: ['list', 'watch'] };
const ALL = [GROUP, CORE];
const WORKLOADS = ['web', 'api'].map((name) => ({
  kind: 'Pod',
  namespace: 'shop',
  name,
  containers: [{ name: 'app', lines: [`text of ${name}`] }],
}));
const VAULT = {
  kind: 'Pod',
  namespace: 'bank',
  name: 'vault',
  containers: [{ name: 'app', lines: ['a secret'] }],
};

async function read(logs: AggregatedLogs, of: string, user: string): Promise<string> {
  const { stdout, stderr } = await logs.log(of, { user });
  return `${stdout}${stderr}`;
}

describe.runIf(existsSync('/proc/self/fd'))('the log of a pod', () => {
  const named = (rule: object) => ({ ...rule, resourceNames: ['web'] });
  let logs: AggregatedLogs;
  beforeAll(async () => {
    logs = await AggregatedLogs.start({
      nodes: ['node-1'],
      workloads: WORKLOADS,
      users: [
        { name: 'reader', rules: ALL },
        { name: 'of-shop', rules: ALL.map((rule) => ({ ...rule, namespace: 'shop' })) },
        { name: 'of-web', rules: ALL.map(named) },
        { name: 'of-web-in-core', rules: [GROUP, named(CORE)] },
        { name: 'of-another', rules: [GROUP, { ...CORE, resourceNames: ['api'] }] },
        { name: 'of-bank', rules: [GROUP, { ...CORE, namespace: 'bank' }] },
        { name: 'without-group', rules: [CORE] },
        { name: 'without-core', rules: [GROUP] },
        { name: 'list-only', rules: [GROUP, { ...CORE, verbs: ['list', 'watch'] }] },
        { name: 'pods-only', rules: [GROUP, { ...CORE, resources: ['pods'] }] },
        { name: 'in-groups', groups: ['first', 'second'], rules: [GROUP] },
        { name: 'nobody', rules: [] },
      ],
    });
    const rbac = 'rbac.authorization.k8s.io';
    const role = { kind: 'ClusterRole', name: 'second' };
    logs.cluster.store.create(`clusterroles.${rbac}`, {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name: role.name },
      rules: [CORE],
    });
    logs.cluster.store.create(`clusterrolebindings.${rbac}`, {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: role.name },
      roleRef: { ...role, apiGroup: rbac },
      subjects: [{ kind: 'Group', name: 'second', apiGroup: rbac }],
    });
  });
  afterAll(() => logs.close());

  test.each(['reader', 'of-shop', 'of-web', 'of-web-in-core', 'in-groups'])('is read by %s', async (user) => {
    expect(await read(logs, WEB, user)).toBe(TEXT);
  });

  const inCore = (user: string, pod = 'web') =>
    `Error from server (Forbidden): pods "${pod}" is forbidden: User "${user}" cannot get resource "pods/log" in API group "" in the namespace "shop"\n`;

  test.each(['of-another', 'of-bank', 'without-core', 'list-only', 'pods-only'])(
    'is not read by %s, whom core refuses',
    async (user) => {
      expect(await read(logs, WEB, user)).toBe(inCore(user));
    },
  );

  test('is read only of the pod that a role names, whether others exist or not', async () => {
    expect(await read(logs, 'shop/pods/api/log', 'of-web-in-core')).toBe(inCore('of-web-in-core', 'api'));
    expect(await read(logs, 'shop/pods/gone/log', 'of-web-in-core')).toBe(inCore('of-web-in-core', 'gone'));
  });

  test.each(['without-group', 'nobody', 'logtool-api', 'logtool-agent'])(
    'is not read by %s, whom the API server refuses',
    async (user) => {
      expect(await read(logs, WEB, user)).toContain(
        `User "${user}" cannot get resource "pods/log" in API group "logtool.dev"`,
      );
    },
  );

  test('is not read by the accounts of logtool through core either', async () => {
    for (const user of ['logtool-api', 'logtool-agent']) {
      const { stdout, exitCode } = await logs.log(WEB, { core: true, user });
      expect([stdout.toString(), exitCode]).toEqual(['', 1]);
    }
  });

  test('is not read by who sends the headers of another to the API server', async () => {
    const headers = { 'X-Remote-User': 'reader', 'X-Remote-Group': 'system:masters' };
    const answer = await logs.open(`namespaces/${WEB}`, 'without-core', headers);
    expect(answer.statusCode).toBe(403);
    answer.resume();
  });

  const strangers: Record<string, () => Promise<Identity | undefined>> = {
    'no certificate': async () => undefined,
    'the certificate of an agent': () => logs.authority.issuePeer('logtool-agent', ['node-1.logtool-agent']),
    'the certificate of the API itself': () => logs.issueApi(),
    'a certificate of its authority for the name of the front proxy': () =>
      logs.authority.issueClient('front-proxy-client', []),
    'a certificate of another authority for that name': async () =>
      (await createAuthority('front-proxy-ca')).issueClient('front-proxy-client', []),
  };
  test.each(Object.keys(strangers))('and lists stay closed past the API server with %s', async (name) => {
    const identity = await strangers[name]!();
    const own = identity === undefined ? {} : { cert: identity.certificate, key: identity.key };
    const session = connect(`https://127.0.0.1:${logs.apiPort}`, {
      ca: logs.authority.certificate,
      servername: 'logtool-api.logtool.svc',
      ...own,
    });
    onTestFinished(() => session.close());
    const before = logs.reports.agents.length;
    for (const path of [
      WEB,
      'shop/containerlogs',
      'shop/containerlogs?watch=true',
      'shop/containerlogs/web',
    ]) {
      const stream = session.request({
        ':path': `/apis/logtool.dev/v1alpha1/namespaces/${path}`,
        'X-Remote-User': 'admin',
        'X-Remote-Group': ['system:masters'],
      });
      const [head] = await once(stream, 'response');
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      expect([head[':status'], JSON.parse(Buffer.concat(chunks).toString()).reason]).toEqual([
        401,
        'Unauthorized',
      ]);
    }
    expect(logs.reports.agents.length).toBe(before);
  });
});

describe.runIf(existsSync('/proc/self/fd'))('allowed namespaces', () => {
  const users = [
    { name: 'reader', rules: [...ALL, LIST, { ...CORE, resources: ['pods'], verbs: ['list'] }] },
  ];
  const forbidden =
    'Error from server (Forbidden): pods "vault" is forbidden: User "reader" cannot get resource "pods/log" in API group "" in the namespace "bank"\n';

  test.each(['api', 'agents'] as const)('of only the %s keep the others closed', async (where) => {
    const logs = await AggregatedLogs.start({
      nodes: ['node-1'],
      workloads: [WORKLOADS[0]!, VAULT],
      users,
      allowedNamespaces: { [where]: ['shop'] },
    });
    onTestFinished(() => logs.close());
    expect(await read(logs, WEB, 'reader')).toBe(TEXT);
    expect(await read(logs, 'bank/pods/vault/log', 'reader')).toBe(forbidden);
    const listed = async (namespace: string) => {
      const { stdout, stderr } = await logs.kubectl(
        ['get', 'containerlogs', ...namespace.split(' ')],
        'reader',
      );
      return `${stdout}${stderr}`;
    };
    await expect.poll(() => listed('-n shop')).toMatch(/^web /m);
    for (const namespace of ['-n bank', '-A']) expect(await listed(namespace)).not.toContain('vault');
    const refused = logs.reports[where].filter(({ code }) => code === 'refused');
    expect(refused.map((report) => 'problem' in report && report.problem)).toContain('namespace-not-allowed');
  });
});

describe.runIf(existsSync('/proc/self/fd'))('without a permission of its own, logtool returns no log', () => {
  const READ_PODS = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] };
  const REVIEW = {
    apiGroups: ['authorization.k8s.io'],
    resources: ['subjectaccessreviews'],
    verbs: ['create'],
  };
  let logs: AggregatedLogs;
  beforeEach(async () => {
    logs = await AggregatedLogs.start({
      nodes: ['node-1'],
      workloads: WORKLOADS,
      users: [{ name: 'reader', rules: ALL }],
      // Nothing that it has reviewed becomes old.
      clock: new FakeClock(Date.now()),
    });
  });
  afterEach(() => logs.close());

  /** What is answered to a request, without kubectl, which repeats it when it should be repeated later. */
  async function answered() {
    const answer = await logs.open(`namespaces/${WEB}`, 'reader');
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    const { message, code } = JSON.parse(Buffer.concat(chunks).toString());
    return { code, message, retryAfter: answer.headers['retry-after'] };
  }

  test.each([
    ['logtool-api', 'to review', [READ_PODS], 'the API server did not review the permission'],
    ['logtool-api', 'to get pods', [REVIEW], 'the API server did not return the pod'],
    ['logtool-agent', 'to review', [], 'the API server did not review the permission'],
  ])('%s %s', async (user, _, rules, message) => {
    await logs.cluster.control.setRules({ user, rules });
    expect(await answered()).toEqual({ code: 503, message, retryAfter: '5' });
  });

  test('logtool-api to read how the API server is recognized', async () => {
    await logs.cluster.control.setRules({ user: 'logtool-api', rules: [READ_PODS, REVIEW] });
    await logs.cluster.control.dropWatches({ match: 'configmaps' });
    await expect
      .poll(answered)
      .toEqual({ code: 503, message: 'the front proxy of the API server is unknown', retryAfter: '5' });
    const group = await logs.kubectl(['get', '--raw', '/apis/logtool.dev/v1alpha1']);
    expect(group.stdout.toString()).toContain('containerlogs');
  });
});
