import * as nodeFiles from 'node:fs/promises';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { decodeUtf8 } from '@logtool/kube/src/values/sanitize.ts';
import type { RepositoryFiles } from './atomic-file.ts';
import { resolveAddress } from './chart-url.ts';
import { chooseVersion } from './choose-version.ts';
import { downloadChart } from './download-chart.ts';
import { editRepositories, readRepositories } from './edit-file.ts';
import { checkAddress, checkName, type RepositoryEntry, shownAddress } from './entry.ts';
import { fetchFile } from './fetch-file.ts';
import { forgetIndex, keepIndex, readKeptIndex } from './index-cache.ts';
import { type Place, repositoryPaths } from './paths.ts';
import { INDEX_LIMIT_BYTES, type RepositoryIndex, readIndex } from './read-index.ts';
import type { AddRequest, AddResult, ChartVersion, Repositories, UpdateResult } from './repositories.ts';
import { NO_ENTRY, withoutRepository, withRepository } from './repositories-file.ts';

export interface OpenOptions extends Place {
  readonly clock: Clock;
  /** What the servers are told: `logtool/1.2.3`. */
  readonly userAgent?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly files?: RepositoryFiles | undefined;
  /** How long a server may be silent. Default 30 s. */
  readonly silenceLimitMs?: number | undefined;
  /** Ask the servers, and write nothing: what is added and loaded is known to these repositories alone. */
  readonly dryRun?: boolean | undefined;
}

/** The repositories where Helm has them; nothing is read or made before it is asked for. */
export function openRepositories(options: OpenOptions): Repositories {
  const { env, clock, signal, userAgent = 'logtool', files = nodeFiles, silenceLimitMs, dryRun } = options;
  const paths = repositoryPaths(options);
  const network = { env, clock, signal, userAgent, silenceLimitMs };
  const editing = { files, clock, signal };

  /** Of a dry run, by name. */
  const loaded = new Map<string, RepositoryIndex>();
  let added: readonly RepositoryEntry[] = [];

  const entries = async () => {
    const names = new Set(added.map(({ name }) => name));
    const written = (await readRepositories(paths.config)).entries;
    return [...written.filter(({ name }) => !names.has(name)), ...added];
  };

  const indexOf = async (name: string) => loaded.get(name) ?? (await readKeptIndex(paths.cache, name));

  const known = async (name: string): Promise<RepositoryEntry> => {
    const entry = (await entries()).find((one) => one.name === name);
    if (entry === undefined) throw unknown(name, paths.config);
    checkName(name);
    return entry;
  };

  const refresh = async (entry: RepositoryEntry): Promise<UpdateResult> => {
    const { name, url } = entry;
    checkName(name);
    const address = resolveAddress(checkAddress(url, `the repository ${name}`), 'index.yaml');
    const what = `the index of the repository ${name}`;
    const limits = { what, accept: '*/*', limitBytes: INDEX_LIMIT_BYTES };
    const bytes = await fetchFile(address, entry, { ...network, ...limits });
    const index = readIndex(decodeUtf8(bytes), shownAddress(url));
    if (dryRun === true) loaded.set(name, index);
    else await keepIndex(editing, paths.cache, name, bytes, index);
    return { name, url, notices: index.notices };
  };

  return {
    path: paths.config,

    async add(request: AddRequest): Promise<AddResult> {
      const wanted = entryOf(request);
      const before = (await entries()).find(({ name }) => name === wanted.name);
      const mayReplace = request.force === true;
      if (before !== undefined && isSame(before, wanted)) {
        const isKept = (await readKeptIndex(paths.cache, wanted.name).catch(ignoreInvalid)) !== undefined;
        if (isKept && !mayReplace) return { outcome: 'unchanged', notices: [] };
      } else if (before !== undefined && !mayReplace) throw exists(before, wanted);
      const { notices } = await refresh(wanted);
      if (dryRun === true) added = [wanted];
      else
        await editRepositories(paths.config, editing, (file) => {
          const there = file.entries.find(({ name }) => name === wanted.name);
          if (there !== undefined && isSame(there, wanted)) return undefined;
          if (there !== undefined && !mayReplace) throw exists(there, wanted);
          return withRepository(file, wanted);
        });
      if (before === undefined) return { outcome: 'added', notices };
      return { outcome: isSame(before, wanted) ? 'unchanged' : 'replaced', notices };
    },

    async update(name?: string): Promise<readonly UpdateResult[]> {
      const wanted = name === undefined ? await entries() : [await known(name)];
      const settled = await Promise.allSettled(wanted.map(refresh));
      const failed = settled.find((one) => one.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    },

    async remove(name: string): Promise<void> {
      await known(name);
      if (dryRun === true) return;
      await editRepositories(paths.config, editing, (file) => {
        if (!file.entries.some((entry) => entry.name === name)) throw unknown(name, paths.config);
        return withoutRepository(file, name);
      });
      await forgetIndex(files, paths.cache, name);
    },

    list: entries,

    async find(repositoryName: string, chartName: string, versionRange?: string): Promise<ChartVersion> {
      await known(repositoryName);
      const index = await indexOf(repositoryName);
      if (index === undefined) throw notUpdated(repositoryName);
      return {
        ...chooseVersion(index, repositoryName, chartName, versionRange),
        repository: repositoryName,
      };
    },

    async download(chartVersion: ChartVersion): Promise<Uint8Array> {
      const entry = await known(chartVersion.repository);
      return downloadChart(chartVersion, entry, paths.cache, { ...network, files, isKept: dryRun !== true });
    },
  };
}

function entryOf(request: AddRequest): RepositoryEntry {
  checkName(request.name);
  checkAddress(request.url, `the repository ${request.name}`, 'usage');
  return {
    ...NO_ENTRY,
    name: request.name,
    url: request.url,
    username: request.username ?? '',
    password: request.password ?? '',
    caFile: request.caFile ?? '',
    insecure_skip_tls_verify: request.insecureSkipTlsVerify ?? false,
  };
}

function isSame(one: RepositoryEntry, other: RepositoryEntry): boolean {
  return differing(one, other).length === 0;
}

/** What tells one repository from another; files of it are looked for below its address with and without a slash. */
function differing(one: RepositoryEntry, other: RepositoryEntry): readonly (keyof RepositoryEntry)[] {
  const comparable = (entry: RepositoryEntry, key: keyof RepositoryEntry) =>
    key === 'url' ? entry.url.replace(/\/+$/, '') : entry[key];
  return (Object.keys(NO_ENTRY) as (keyof RepositoryEntry)[]).filter(
    (key) => comparable(one, key) !== comparable(other, key),
  );
}

/** An index that cannot be used counts as none: a new one takes its place. */
function ignoreInvalid(error: unknown): undefined {
  if (error instanceof LogtoolError) return undefined;
  throw error;
}

function unknown(name: string, path: string): LogtoolError {
  return new LogtoolError({
    code: 'repository-unknown',
    what: `there is no repository ${JSON.stringify(name.slice(0, 100))}`,
    why: `${path} does not name it`,
    next: 'add it: logtool cluster repo add URL',
  });
}

function notUpdated(name: string): LogtoolError {
  return new LogtoolError({
    code: 'repository-not-updated',
    what: `nothing is known of the charts of the repository ${name}`,
    why: 'its index was never loaded, or the cache was emptied',
    next: 'run: logtool cluster repo update',
  });
}

function exists(there: RepositoryEntry, wanted: RepositoryEntry): LogtoolError {
  return new LogtoolError({
    code: 'repository-exists',
    what: `there is a repository ${wanted.name} already, and it is another one`,
    why: whyOther(there, wanted),
    next: 'give --force-update to replace it',
  });
}

function whyOther(there: RepositoryEntry, wanted: RepositoryEntry): string {
  const fields = differing(there, wanted);
  if (!fields.includes('url')) return `the same address, with a different ${fields.join(', ')}`;
  const address = shownAddress(there.url);
  // What is not shown of an address may be a secret.
  return address === shownAddress(wanted.url)
    ? 'the same address, with other credentials in it or another query'
    : `its address is ${address}`;
}
