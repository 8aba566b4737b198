import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';

/** Returns the certificate authority of a kubeconfig's cluster, in PEM. */
async function authorityOf(kubeconfig: string): Promise<Buffer> {
  const { clusters } = load(await readFile(kubeconfig, 'utf8')) as {
    readonly clusters: readonly {
      readonly cluster: { readonly 'certificate-authority-data': string };
    }[];
  };
  return Buffer.from(clusters[0]?.cluster['certificate-authority-data'] ?? '', 'base64');
}

/** Writes what the kubelet mounts into a pod: the token, the namespace and the certificate authority. */
export async function writeServiceAccount(
  directory: string,
  kubeconfig: string,
  token: string,
): Promise<void> {
  const files = { token, namespace: 'shop', 'ca.crt': await authorityOf(kubeconfig) };
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content);
}

/** Returns the address of the API server, as in a pod's environment. */
export function podEnvironment(server: string): {
  readonly KUBERNETES_SERVICE_HOST: string;
  readonly KUBERNETES_SERVICE_PORT: string;
} {
  const { hostname, port } = new URL(server);
  return { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
}
