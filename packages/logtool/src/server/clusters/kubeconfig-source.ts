import { stat } from 'node:fs/promises';
import { textField } from '@logtool/kube/src/config/fields.ts';
import type { Entry, Kubeconfig } from '@logtool/kube/src/config/kubeconfig.ts';
import { loadKubeconfig } from '@logtool/kube/src/config/load.ts';
import { type Locations, locateKubeconfigs } from '@logtool/kube/src/config/locate.ts';
import { selectContext } from '@logtool/kube/src/config/select.ts';
import { openConnection } from '@logtool/kube/src/connection/open-connection.ts';
import type { ConnectionOptions } from '@logtool/kube/src/connection/open-options.ts';
import type { WireError } from '../../contract/error.ts';
import type { Logger } from '../services.ts';
import { toWireError } from '../to-wire-error.ts';
import type { ContextEntry, ContextSource } from './context-source.ts';

/** Interval of file checks. kubectl and other programs replace files by renaming, which breaks a file watch. */
export const CHECK_EVERY_MS = 1_000;

export type KubeconfigSourceOptions = Omit<ConnectionOptions, 'inCluster' | 'context' | 'loaded'> & {
  readonly logger: Logger;
  /** The context that the page opens first. Undefined: the kubeconfig's current one at that time. */
  readonly context?: string | undefined;
};

/**
 * Reads the contexts of the kubeconfig files, and checks the files for changes repeatedly. If a file becomes
 * unreadable, the previous contexts stay in force, and `error` has the reason. Throws CodedError if the first read
 * fails, or lacks `context`.
 */
export async function kubeconfigSource(options: KubeconfigSourceOptions): Promise<ContextSource> {
  const { kubeconfig: explicit, env, homeDirectory } = options;
  const locations = locateKubeconfigs({ explicit, env, homeDirectory });
  const seen = await signature(locations.files);
  const config = await loadKubeconfig(locations);
  if (options.context !== undefined) await selectContext(config, options.context);
  return new KubeconfigSource(options, locations, { config, signature: seen });
}

class KubeconfigSource implements ContextSource {
  readonly #options: KubeconfigSourceOptions;
  readonly #locations: Locations;
  readonly #callbacks = new Set<() => void>();
  #config: Kubeconfig;
  #contexts: ReadonlyMap<string, ContextEntry>;
  /** Signature of the files at the last read. */
  #signature: string;
  #revision = 1;
  /** Consecutive failed reads. */
  #failures = 0;
  #error: WireError | undefined;
  #isClosed = false;
  #cancel: () => void;

  constructor(
    options: KubeconfigSourceOptions,
    locations: Locations,
    first: { readonly config: Kubeconfig; readonly signature: string },
  ) {
    this.#options = options;
    this.#locations = locations;
    this.#config = first.config;
    this.#contexts = entriesOf(first.config, options.context);
    this.#signature = first.signature;
    this.#cancel = this.#checkLater();
  }

  get revision(): number {
    return this.#revision;
  }

  get contexts(): ReadonlyMap<string, ContextEntry> {
    return this.#contexts;
  }

  get error(): WireError | undefined {
    return this.#error;
  }

  open(context: string, bearer: string | undefined): ReturnType<ContextSource['open']> {
    return openConnection({ ...this.#options, context, bearer, loaded: this.#config });
  }

  onChange(callback: () => void): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
    this.#callbacks.clear();
  }

  #checkLater(): () => void {
    return this.#options.clock.after(CHECK_EVERY_MS, () => {
      void this.#check().finally(() => {
        if (!this.#isClosed) this.#cancel = this.#checkLater();
      });
    });
  }

  /** Never rejects. */
  async #check(): Promise<void> {
    const now = await signature(this.#locations.files);
    if (now === this.#signature && this.#failures === 0) return;
    this.#signature = now;
    try {
      this.#take(await loadKubeconfig(this.#locations));
    } catch (error) {
      this.#keepLastGood(error);
    }
  }

  #take(config: Kubeconfig): void {
    const isNew =
      this.#failures > 1 || JSON.stringify(plainOf(config)) !== JSON.stringify(plainOf(this.#config));
    this.#failures = 0;
    this.#error = undefined;
    this.#config = config;
    this.#contexts = entriesOf(config, this.#options.context);
    if (isNew) this.#notify('read the kubeconfig again');
  }

  #keepLastGood(caught: unknown): void {
    this.#failures++;
    // A file in the middle of being written is complete at the next check.
    if (this.#failures < 2) return;
    const error = toWireError(caught);
    if (JSON.stringify(error) === JSON.stringify(this.#error)) return;
    this.#error = error;
    this.#notify('cannot read the kubeconfig; keeping the previous contexts');
  }

  #notify(text: string): void {
    if (this.#isClosed) return;
    this.#revision++;
    const { logger } = this.#options;
    const revision = this.#revision;
    if (this.#error === undefined) logger.info({ revision }, text);
    else logger.warn({ revision, code: this.#error.code, data: this.#error.data }, text);
    for (const callback of this.#callbacks) callback();
  }
}

/** Returns a text that changes with any of the files. */
async function signature(files: readonly string[]): Promise<string> {
  const configs = files.map(async (file) => {
    try {
      const { mtimeMs, ctimeMs, size, ino } = await stat(file);
      return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
    } catch (error) {
      // A missing or unreadable file is a valid state; reading it reports the reason.
      return String((error as NodeJS.ErrnoException).code);
    }
  });
  return (await Promise.all(configs)).join('\n');
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

/** Returns empty for a value that is not text: choosing the context reports the fault. */
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
