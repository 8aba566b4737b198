import { writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';

export type UserCredentials =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'certificate'; readonly certificate: string; readonly key: string };

export interface KubeconfigUser {
  readonly name: string;
  /** Default namespace of the user's context. */
  readonly namespace?: string | undefined;
  readonly credentials: UserCredentials;
}

/** Writes a kubeconfig with one context a user, named as the user; the first user's is the current one. */
export async function writeKubeconfig(
  path: string,
  cluster: { readonly name: string; readonly server: string; readonly caCertificate: string },
  users: readonly KubeconfigUser[],
): Promise<void> {
  const text = stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': users[0]?.name ?? '',
      clusters: [
        {
          name: cluster.name,
          cluster: { server: cluster.server, 'certificate-authority-data': base64(cluster.caCertificate) },
        },
      ],
      contexts: users.map((user) => ({
        name: user.name,
        context: {
          cluster: cluster.name,
          user: user.name,
          ...(user.namespace === undefined ? {} : { namespace: user.namespace }),
        },
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
    { lineWidth: 0 },
  );
  await writeFile(path, text, { mode: 0o600 });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
