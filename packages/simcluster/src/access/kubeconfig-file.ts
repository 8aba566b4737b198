import { rename, writeFile } from 'node:fs/promises';
import { dump } from 'js-yaml';

export type UserCredentials =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'certificate'; readonly certificate: string; readonly key: string };

export interface KubeconfigUser {
  readonly name: string;
  readonly credentials: UserCredentials;
}

export interface KubeconfigContext {
  readonly name: string;
  readonly user: string;
  /** Its default namespace. */
  readonly namespace?: string | undefined;
}

export interface KubeconfigCluster {
  readonly name: string;
  readonly server: string;
  readonly caCertificate: string;
}

/**
 * Writes a kubeconfig; the first context is the current one. A reader sees either the previous file or the whole new
 * one.
 */
export async function writeKubeconfig(
  path: string,
  cluster: KubeconfigCluster,
  users: readonly KubeconfigUser[],
  contexts: readonly KubeconfigContext[],
): Promise<void> {
  const text = dump(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': contexts[0]?.name ?? '',
      clusters: [
        {
          name: cluster.name,
          cluster: { server: cluster.server, 'certificate-authority-data': base64(cluster.caCertificate) },
        },
      ],
      contexts: contexts.map(({ name, user, namespace }) => ({
        name,
        context: { cluster: cluster.name, user, ...(namespace === undefined ? {} : { namespace }) },
      })),
      users: users.map(({ name, credentials }) => ({
        name,
        user:
          credentials.kind === 'token'
            ? { token: credentials.token }
            : {
                'client-certificate-data': base64(credentials.certificate),
                'client-key-data': base64(credentials.key),
              },
      })),
    },
    { lineWidth: -1 },
  );
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
