import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { load } from 'js-yaml';
import type { SimCluster } from '../../src/start.ts';

interface Kubeconfig {
  readonly contexts: readonly { name: string; context: { user: string; namespace?: string } }[];
  readonly clusters: readonly { cluster: { 'certificate-authority-data': string } }[];
  readonly users: readonly {
    name: string;
    user: { token?: string; 'client-certificate-data'?: string; 'client-key-data'?: string };
  }[];
}

export async function kubeconfigAt(path: string): Promise<Kubeconfig> {
  return load(await readFile(path, 'utf8')) as Kubeconfig;
}

/** A response that may still be arriving. */
export interface Asked {
  readonly status: number;
  /** Resolves at the end of the body with all of it; `cut`: whether the connection broke off. */
  readonly body: Promise<{ readonly text: string; readonly cut: boolean }>;
  /** Resolves when the body contains that text. */
  holds(text: string): Promise<void>;
}

/** Sends a GET as a user of the kubeconfig; `token` replaces the one in the kubeconfig. */
export async function ask(cluster: SimCluster, user: string, path: string, token?: string): Promise<Asked> {
  const config = await kubeconfigAt(cluster.kubeconfig);
  const own = config.users.find(({ name }) => name === user)?.user ?? {};
  const pem = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text, 'base64'));
  const bearer = token ?? own.token;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(`${cluster.server}${path}`, {
      agent: false,
      ca: pem(config.clusters[0]?.cluster['certificate-authority-data']),
      cert: pem(own['client-certificate-data']),
      key: pem(own['client-key-data']),
      ...(bearer === undefined ? {} : { headers: { authorization: `Bearer ${bearer}` } }),
    });
    asked.once('response', resolve).once('error', reject).end();
  });
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const body = new Promise<{ text: string; cut: boolean }>((resolve) => {
    response.on('error', () => undefined);
    response.once('close', () => resolve({ text, cut: !response.complete }));
  });
  return {
    status: response.statusCode ?? 0,
    body,
    holds: (wanted) =>
      new Promise((resolve) => {
        const check = () => {
          if (!text.includes(wanted)) return;
          response.off('data', check);
          resolve();
        };
        response.on('data', check);
        check();
      }),
  };
}
