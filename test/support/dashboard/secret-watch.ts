import { readFile } from 'node:fs/promises';
import { load } from 'js-yaml';

/** Searches everything that a server sends for the credentials of its kubeconfig. */
export interface SecretWatch {
  /** Returns the same answer, searched while it is read. */
  over(response: Response): Response;
  /** The findings. */
  readonly leaks: readonly string[];
  /** Bytes searched: a watch that sees nothing finds nothing. */
  readonly bytes: number;
}

interface Users {
  readonly users?: readonly { readonly name: string; readonly user?: Readonly<Record<string, unknown>> }[];
}
const SECRET_FIELDS = ['token', 'password', 'client-key-data', 'client-certificate-data'] as const;

export async function watchForSecrets(kubeconfig: string): Promise<SecretWatch> {
  const config = load(await readFile(kubeconfig, 'utf8')) as Users;
  const secrets = (config.users ?? []).flatMap(({ name, user = {} }) =>
    SECRET_FIELDS.flatMap((field) => {
      const value = user[field];
      return typeof value !== 'string' || value.length < 8 ? [] : [{ what: `${field} of ${name}`, value }];
    }),
  );
  if (secrets.length === 0) throw new Error(`${kubeconfig} has no credentials to look for`);
  const longest = Math.max(...secrets.map(({ value }) => value.length));
  const leaks: string[] = [];
  let bytes = 0;
  const search = (text: string, where: string) => {
    for (const { what, value } of secrets) if (text.includes(value)) leaks.push(`${what} in ${where}`);
  };
  return {
    leaks,
    get bytes() {
      return bytes;
    },

    over(response) {
      search(JSON.stringify([...response.headers]), 'a header');
      if (response.body === null) return response;
      const decoder = new TextDecoder('latin1');
      let tail = '';
      const body = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            bytes += chunk.length;
            const text = tail + decoder.decode(chunk);
            search(text, 'a body');
            tail = text.slice(-longest);
            controller.enqueue(chunk);
          },
        }),
      );
      return new Response(body, response);
    },
  };
}
