import { stat } from 'node:fs/promises';
import { textField } from '@logtool/kube/src/config/fields.ts';
import type { Entry, Kubeconfig } from '@logtool/kube/src/config/kubeconfig.ts';
import { loadKubeconfig } from '@logtool/kube/src/config/load.ts';
import { locateKubeconfigs } from '@logtool/kube/src/config/locate.ts';
import { selectContext } from '@logtool/kube/src/config/select.ts';
import { openConnection } from '@logtool/kube/src/connection/open-connection.ts';
import type { ConnectionOptions } from '@logtool/kube/src/connection/open-options.ts';
import type { WireError } from '../../contract/error.ts';
import type { Logger } from '../services.ts';
import { toWireError } from '../to-wire-error.ts';
import type { ContextEntry, ContextSource } from './context-source.ts';

/** How often the files are looked at: kubectl and others replace them by renaming, which no watch of a file survives. */
export const LOOK_EVERY_MS = 1_000;

export type KubeconfigSourceOptions = Omit<ConnectionOptions, 'inCluster' | 'context' | 'loaded'> & {
  readonly logger: Logger;
  /** The context that the page opens first. Undefined: the kubeconfig's current one, whichever that is at the time. */
  readonly context?: string | undefined;
};

/**
 * The contexts of the kubeconfig files, which are looked at again and again. A file that cannot be read keeps what was
 * there before it, and says so. Throws LogtoolError when the first reading fails, or when it lacks `context`.
 */
export async function kubeconfigSource(options: KubeconfigSourceOptions): Promise<ContextSource> {
  const locations = locateKubeconfigs({
    explicit: options.kubeconfig,
    env: options.env,
    homeDirectory: options.homeDirectory,
  });
  let seen = await signature(locations.files);
  let config = await loadKubeconfig(locations);
  if (options.context !== undefined) await selectContext(config, options.context);
  let contexts = entriesOf(config, options.context);
  let revision = 1;
  let failures = 0;
  let error: WireError | undefined;
  let isClosed = false;
  const callbacks = new Set<() => void>();
  let cancel = options.clock.after(LOOK_EVERY_MS, look);

  function look(): void {
    void lookOnce().finally(() => {
      if (!isClosed) cancel = options.clock.after(LOOK_EVERY_MS, look);
    });
  }

  /** Never rejects. */
  async function lookOnce(): Promise<void> {
    const now = await signature(locations.files);
    if (now === seen && failures === 0) return;
    seen = now;
    try {
      const read = await loadKubeconfig(locations);
      const isNew = failures > 1 || JSON.stringify(plainOf(read)) !== JSON.stringify(plainOf(config));
      failures = 0;
      error = undefined;
      config = read;
      contexts = entriesOf(read, options.context);
      if (isNew) tell('the kubeconfig was read again');
    } catch (caught) {
      failures++;
      // A file in the middle of being written is whole at the next look.
      if (failures < 2) return;
      const told = toWireError(caught);
      if (JSON.stringify(told) === JSON.stringify(error)) return;
      error = told;
      tell('the kubeconfig cannot be read; the previous contexts are kept');
    }
  }

  function tell(text: string): void {
    if (isClosed) return;
    revision++;
    if (error === undefined) options.logger.info({ revision }, text);
    else options.logger.warn({ revision, why: error.why ?? error.what }, text);
    for (const callback of callbacks) callback();
  }

  return {
    get revision() {
      return revision;
    },
    get contexts() {
      return contexts;
    },
    get error() {
      return error;
    },
    open: (context, bearer) => openConnection({ ...options, context, bearer, loaded: config }),
    onChange(callback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    close() {
      isClosed = true;
      cancel();
      callbacks.clear();
    },
  };
}

/** What changes when one of the files does. */
async function signature(files: readonly string[]): Promise<string> {
  const parts = files.map(async (file) => {
    try {
      const { mtimeMs, ctimeMs, size, ino } = await stat(file);
      return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
    } catch (error) {
      // That it is not there, or may not be looked at, is what it is like now; reading it says so in words.
      return String((error as NodeJS.ErrnoException).code);
    }
  });
  return (await Promise.all(parts)).join('\n');
}

function plainOf(config: Kubeconfig) {
  const { currentContext, clusters, users, contexts } = config;
  return [currentContext, [...clusters], [...users], [...contexts]];
}

function entriesOf(config: Kubeconfig, first = config.currentContext): ReadonlyMap<string, ContextEntry> {
  const entries = new Map<string, ContextEntry>();
  for (const [name, { fields }] of config.contexts) {
    const cluster = config.clusters.get(text(fields, 'cluster'));
    const user = config.users.get(text(fields, 'user'));
    entries.set(name, {
      name,
      server: cluster === undefined ? '' : displayUrl(text(cluster.fields, 'server')),
      namespace: text(fields, 'namespace') || 'default',
      isCurrent: name === first,
      clusterPrint: JSON.stringify([cluster, text(fields, 'namespace')]),
      userPrint: JSON.stringify([user, text(fields, 'user')]),
    });
  }
  return entries;
}

/** Empty where it is no text: choosing the context says what is wrong with it. */
function text(fields: Entry['fields'], key: string): string {
  try {
    return textField(fields, key);
  } catch {
    return '';
  }
}

function displayUrl(server: string): string {
  const text = server.includes('://') ? server : `https://${server}`;
  if (!URL.canParse(text)) return '';
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/(?<!\/)\/+$/, '');
}
