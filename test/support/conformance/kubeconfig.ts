import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { dump, load } from 'js-yaml';

type Fields = Readonly<Record<string, unknown>>;

interface Kubeconfig {
  readonly 'current-context': string;
  readonly contexts: readonly { readonly name: string; readonly context: { readonly cluster: string } }[];
  readonly clusters: readonly { readonly name: string; readonly cluster: Fields }[];
}

/** Kubeconfigs that connect to the same cluster in other ways, in a separate folder. */
export interface OtherKubeconfigs {
  readonly folder: string;
  /** Writes one with this user and changed cluster fields (undefined removes one), and returns its path. */
  write(user: unknown, change?: Fields): Promise<string>;
  /** Writes a file and returns its path. */
  file(name: string, text: string, mode?: number): Promise<string>;
  remove(): Promise<void>;
}

export async function otherKubeconfigs(path: string): Promise<OtherKubeconfigs> {
  const config = load(await readFile(path, 'utf8')) as Kubeconfig;
  const context = config.contexts.find(({ name }) => name === config['current-context']);
  const found = config.clusters.find(({ name }) => name === context?.context.cluster);
  if (found === undefined) throw new Error(`${path} has no cluster of its current context`);
  const authority = found.cluster['certificate-authority'];
  const cluster = {
    ...found.cluster,
    // A path is relative to the folder of its file.
    ...(typeof authority === 'string' ? { 'certificate-authority': resolve(dirname(path), authority) } : {}),
  };
  const folder = await mkdtemp(join(tmpdir(), 'logtool-conformance-'));
  let count = 0;
  const file = async (name: string, text: string, mode = 0o600) => {
    const made = join(folder, name);
    await writeFile(made, text, { mode });
    return made;
  };
  return {
    folder,
    file,
    write: (user, change = {}) =>
      file(
        `kubeconfig-${++count}`,
        dump({
          apiVersion: 'v1',
          kind: 'Config',
          clusters: [{ name: 'tested', cluster: withChange(cluster, change) }],
          users: [{ name: 'somebody', user }],
          contexts: [{ name: 'tested', context: { cluster: 'tested', user: 'somebody' } }],
          'current-context': 'tested',
        }),
      ),
    remove: () => rm(folder, { recursive: true }),
  };
}

function withChange(cluster: Fields, change: Fields): Fields {
  return Object.fromEntries(
    Object.entries({ ...cluster, ...change }).filter(([, value]) => value !== undefined),
  );
}
