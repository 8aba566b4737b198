import { JOBS } from '@logtool/kube/src/builtin-resources.ts';
import { createAuthority } from '@logtool/simcluster/src/access/tls.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClusterUnderTest, openClient, openCluster } from '../../support/conformance/cluster.ts';
import { type OtherKubeconfigs, otherKubeconfigs } from '../../support/conformance/kubeconfig.ts';
import { runLogtool } from '../../support/conformance/program.ts';
import { kubectl } from '../../support/oracles/kubectl.ts';
import { container, job, podSpec } from './pods.ts';
import { count, counter, finished, slowCounter } from './scripts.ts';

let cluster: ClusterUnderTest;
let others: OtherKubeconfigs;

beforeAll(async () => {
  cluster = await openCluster();
  others = await otherKubeconfigs(cluster.kubeconfig);
}, 300_000);

afterAll(async () => {
  await cluster?.close();
  await others?.remove();
});

const logs = (kubeconfig: string, ...args: readonly string[]) =>
  runLogtool(['logs', '-n', cluster.namespace, '--kubeconfig', kubeconfig, ...args]);

test('a token that the server does not know is not let in', async () => {
  const path = await others.write({ token: 'not-a-token' });
  const client = await openClient(path);
  await expect(client.version().then(() => client.discover())).rejects.toMatchObject({
    kind: 'unauthorized',
  });
  client.close();
  const result = await logs(path, 'anything');
  expect([result.exitCode, result.stdout.toString()]).toEqual([1, '']);
  expect(result.stderr).toContain('401');
}, 300_000);

test('a server of another authority, or of another name, gets no credentials', async () => {
  const authority = await createAuthority('somebody else');
  const data = Buffer.from(authority.certificate).toString('base64');
  const strange = { 'certificate-authority': undefined, 'insecure-skip-tls-verify': undefined };
  for (const change of [
    { ...strange, 'certificate-authority-data': data },
    { 'insecure-skip-tls-verify': undefined, 'tls-server-name': 'not-this-server.invalid' },
  ]) {
    const client = await openClient(await others.write({ token: 'secret' }, change));
    await expect(client.version()).rejects.toMatchObject({ kind: 'tls' });
    client.close();
  }
}, 300_000);

// The real kubectl requests tokens of service accounts; its package supports only Linux on x64.
describe.skipIf(process.platform !== 'linux' || process.arch !== 'x64')('a service account', () => {
  const metadata = { name: 'reader' };
  const READ = { apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list'] };
  const subjects = [{ kind: 'ServiceAccount', name: 'reader' }];

  async function token(account: string): Promise<string> {
    const args = ['create', 'token', account, '-n', cluster.namespace];
    const made = await kubectl(args, { kubeconfig: cluster.kubeconfig, home: others.folder });
    expect(made.exitCode, made.stderr).toBe(0);
    return made.stdout.toString().trim();
  }

  beforeAll(async () => {
    const rbac = 'rbac.authorization.k8s.io';
    const roleRef = { apiGroup: rbac, kind: 'Role', name: 'reader' };
    await cluster.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'stranger' } });
    await cluster.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata });
    await cluster.create({
      apiVersion: `${rbac}/v1`,
      kind: 'Role',
      metadata,
      rules: [READ, { apiGroups: ['batch'], resources: ['jobs'], verbs: ['get', 'list'] }],
    });
    const bound = subjects.map((subject) => ({ ...subject, namespace: cluster.namespace }));
    await cluster.create({
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata,
      roleRef,
      subjects: bound,
    });
    await finished(cluster, 'readable', counter(5));
  }, 300_000);

  test('reads with its token: as text, from a file, from a plugin, and without checking the certificate', async () => {
    const secret = await token('reader');
    const status = { token: secret };
    const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status };
    const answer = await others.file('credential.json', JSON.stringify(credential));
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'cat',
      args: [answer],
      interactiveMode: 'Never',
    };
    const insecure = {
      'certificate-authority': undefined,
      'certificate-authority-data': undefined,
      'insecure-skip-tls-verify': true,
    };
    for (const path of [
      await others.write({ token: secret }),
      await others.write({ tokenFile: await others.file('token', `${secret}\n`) }),
      await others.write({ exec }),
      await others.write({ token: secret }, insecure),
    ]) {
      const read = await logs(path, 'readable', '--all', '--raw');
      expect(read.lines, read.stderr).toEqual(count(5));
    }
  }, 300_000);

  test('without the right to watch follows all the same', async () => {
    const path = await others.write({ token: await token('reader') });
    const spec = podSpec(cluster.pods, [container('app', slowCounter(20), cluster.pods)], {
      restartPolicy: 'Never',
    });
    await cluster.create(job('polled', spec));
    const followed = await logs(path, 'jobs/polled', '--all', '--follow', '--raw');
    expect(followed.exitCode, followed.stderr).toBe(0);
    expect(followed.lines).toEqual(count(20));
    await cluster.until(JOBS, 'polled', ({ status }) => status?.succeeded === 1);
  }, 300_000);

  test('names the missing right to a user without any', async () => {
    const path = await others.write({ token: await token('stranger') });
    for (const source of ['readable', 'jobs/polled', 'pods/*']) {
      const refused = await logs(path, source, '--all', '--raw');
      expect([refused.exitCode, refused.stdout.toString()]).toEqual([1, '']);
      expect(refused.stderr).toMatch(/may not|forbidden|not allowed/i);
      expect(refused.stderr).toContain('stranger');
      expect(refused.stderr).toContain('kubectl');
    }
  }, 300_000);
});
