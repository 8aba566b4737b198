import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { folder } from '../../../../../test/support/connection/kubeconfig-folder.ts';
import { selfSigned } from '../../../../../test/support/tls-server/certificates.ts';
import { inClusterSource } from './in-cluster-source.ts';

async function options() {
  const directory = await folder();
  await writeFile(join(directory, 'token'), 'pod-token');
  await writeFile(join(directory, 'namespace'), 'logging');
  await writeFile(join(directory, 'ca.crt'), selfSigned().cert);
  const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
  return { env, homeDirectory: directory, clock: new FakeClock(), serviceAccountDirectory: directory };
}

test('the cluster that the server runs in is the one context', async () => {
  const source = await inClusterSource(await options());
  expect([...source.contexts.values()]).toMatchObject([
    { name: 'in-cluster', server: 'https://10.0.0.1', namespace: 'logging', isCurrent: true },
  ]);
  const connection = await source.open('in-cluster', undefined);
  expect(await connection.headers()).toEqual({ Authorization: 'Bearer pod-token' });
  connection.close();
});

test("a person's own token stands for that of the pod", async () => {
  const source = await inClusterSource(await options());
  const connection = await source.open('in-cluster', 'ann-token');
  expect([await connection.headers(), connection.user]).toEqual([{ Authorization: 'Bearer ann-token' }, '']);
  connection.close();
});

test('outside of a pod it does not begin', async () => {
  await expect(inClusterSource({ ...(await options()), env: {} })).rejects.toMatchObject({
    code: 'in-cluster-missing',
  });
});
