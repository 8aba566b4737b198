import * as nodeFiles from 'node:fs/promises';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { decodeUtf8 } from '@logtool/kube/src/values/sanitize.ts';
import { type HelmFailures, helmFailure } from '../failures.ts';
import type { RepositoryFiles } from './atomic-file.ts';
import { resolveAddress } from './chart-url.ts';
import { chooseVersion } from './choose-version.ts';
import { downloadChart } from './download-chart.ts';
import { type EditOptions, editRepositories, readRepositories } from './edit-file.ts';
import { checkAddress, checkName, type RepositoryEntry, shownAddress } from './entry.ts';
import { type FetchOptions, fetchFile } from './fetch-file.ts';
import { forgetIndex, keepIndex, readKeptIndex } from './index-cache.ts';
import { type Machine, repositoryPaths } from './paths.ts';
import { INDEX_LIMIT_BYTES, type RepositoryIndex, readIndex } from './read-index.ts';
import type { AddRequest, AddResult, ChartVersion, Repositories, UpdateResult } from './repositories.ts';
import { NO_ENTRY, withoutRepository, withRepository } from './repositories-file.ts';

export interface OpenOptions extends Machine {
  readonly clock: Clock;
  /** The program name that servers see: `logtool/1.2.3`. */
  readonly userAgent?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly files?: RepositoryFiles | undefined;
  /** Time that a server may be silent. Default 30 s. */
  readonly silenceLimitMs?: number | undefined;
  /** Query the servers, but write nothing: only this instance knows the added repositories and downloaded indexes. */
  readonly dryRun?: boolean | undefined;
}

/** Opens Helm's repositories; reads and creates nothing until a method is called. */
export function openRepositories(options: OpenOptions): Repositories {
  return new UserRepositories(options);
}

class UserRepositories implements Repositories {
  readonly path: string;
  readonly #cachePath: string;
  readonly #network: Omit<FetchOptions, 'of' | 'accept' | 'limitBytes'>;
  readonly #editing: EditOptions;
  readonly #isDryRun: boolean;
  /** The indexes of a dry run, by name. */
  readonly #loaded = new Map<string, RepositoryIndex>();
  #added: readonly RepositoryEntry[] = [];

  constructor(options: OpenOptions) {
    const { env, clock, signal, userAgent = '@logtool/helm', files = nodeFiles, silenceLimitMs } = options;
    const { config, cache } = repositoryPaths(options);
    this.path = config;
    this.#cachePath = cache;
    this.#network = { env, clock, signal, userAgent, silenceLimitMs };
    this.#editing = { files, clock, signal };
    this.#isDryRun = options.dryRun === true;
  }

  async add(request: AddRequest): Promise<AddResult> {
    const wanted = entryOf(request);
    const before = (await this.list()).find(({ name }) => name === wanted.name);
    const mayReplace = request.force === true;
    if (before !== undefined && !isSame(before, wanted) && !mayReplace) throw exists(before, wanted);
    const isSameAsBefore = before !== undefined && isSame(before, wanted);
    if (isSameAsBefore && !mayReplace && (await this.#isIndexed(wanted.name)))
      return { outcome: 'unchanged', notices: [] };
    const { notices } = await this.#refresh(wanted);
    if (this.#isDryRun) this.#added = [wanted];
    else await this.#write(wanted, mayReplace);
    if (before === undefined) return { outcome: 'added', notices };
    return { outcome: isSameAsBefore ? 'unchanged' : 'replaced', notices };
  }

  async update(name?: string): Promise<readonly UpdateResult[]> {
    const wanted = name === undefined ? await this.list() : [await this.#known(name)];
    const settled = await Promise.allSettled(wanted.map((entry) => this.#refresh(entry)));
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  async remove(name: string): Promise<void> {
    await this.#known(name);
    if (this.#isDryRun) return;
    await editRepositories(this.path, this.#editing, (file) => {
      if (!file.entries.some((entry) => entry.name === name)) throw unknown(name, this.path);
      return withoutRepository(file, name);
    });
    await forgetIndex(this.#editing.files, this.#cachePath, name);
  }

  async list(): Promise<readonly RepositoryEntry[]> {
    const names = new Set(this.#added.map(({ name }) => name));
    const written = (await readRepositories(this.path)).entries;
    return [...written.filter(({ name }) => !names.has(name)), ...this.#added];
  }

  async find(repositoryName: string, chartName: string, versionRange?: string): Promise<ChartVersion> {
    await this.#known(repositoryName);
    const index = this.#loaded.get(repositoryName) ?? (await readKeptIndex(this.#cachePath, repositoryName));
    if (index === undefined) throw helmFailure('repository-not-updated', { name: repositoryName });
    const version = chooseVersion(index, repositoryName, chartName, versionRange);
    return { ...version, repository: repositoryName };
  }

  async download(chartVersion: ChartVersion): Promise<Uint8Array> {
    const entry = await this.#known(chartVersion.repository);
    const options = { ...this.#network, files: this.#editing.files, isKept: !this.#isDryRun };
    return downloadChart(chartVersion, entry, this.#cachePath, options);
  }

  async #known(name: string): Promise<RepositoryEntry> {
    const entry = (await this.list()).find((one) => one.name === name);
    if (entry === undefined) throw unknown(name, this.path);
    checkName(name);
    return entry;
  }

  async #isIndexed(name: string): Promise<boolean> {
    return (await readKeptIndex(this.#cachePath, name).catch(ignoreInvalid)) !== undefined;
  }

  /** Downloads the index of a repository, and stores it. */
  async #refresh(entry: RepositoryEntry): Promise<UpdateResult> {
    const { name, url } = entry;
    checkName(name);
    const address = resolveAddress(checkAddress(url, { kind: 'repository', name }), 'index.yaml');
    const of = { kind: 'index', name } as const;
    const limits = { of, accept: '*/*', limitBytes: INDEX_LIMIT_BYTES };
    const bytes = await fetchFile(address, entry, { ...this.#network, ...limits });
    const index = readIndex(decodeUtf8(bytes), shownAddress(url));
    if (this.#isDryRun) this.#loaded.set(name, index);
    else await keepIndex(this.#editing, this.#cachePath, name, bytes, index);
    return { name, url, notices: index.notices };
  }

  async #write(wanted: RepositoryEntry, mayReplace: boolean): Promise<void> {
    await editRepositories(this.path, this.#editing, (file) => {
      const there = file.entries.find(({ name }) => name === wanted.name);
      if (there !== undefined && isSame(there, wanted)) return undefined;
      if (there !== undefined && !mayReplace) throw exists(there, wanted);
      return withRepository(file, wanted);
    });
  }
}

function entryOf(request: AddRequest): RepositoryEntry {
  checkName(request.name);
  checkAddress(request.url, { kind: 'repository', name: request.name }, 'usage');
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

/** Returns the fields in which two repositories differ; ignores slashes at the end of an address. */
function differing(one: RepositoryEntry, other: RepositoryEntry): readonly (keyof RepositoryEntry)[] {
  const comparable = (entry: RepositoryEntry, key: keyof RepositoryEntry) =>
    key === 'url' ? entry.url.replace(/\/+$/, '') : entry[key];
  return (Object.keys(NO_ENTRY) as (keyof RepositoryEntry)[]).filter(
    (key) => comparable(one, key) !== comparable(other, key),
  );
}

/** Treats an unusable index as missing, so that a new one replaces it. */
function ignoreInvalid(error: unknown): undefined {
  if (error instanceof CodedError) return undefined;
  throw error;
}

function unknown(name: string, file: string): CodedError {
  return helmFailure('repository-unknown', { name, file });
}

function exists(known: RepositoryEntry, wanted: RepositoryEntry): CodedError {
  return helmFailure('repository-exists', { name: wanted.name, differs: difference(known, wanted) });
}

function difference(
  known: RepositoryEntry,
  wanted: RepositoryEntry,
): HelmFailures['repository-exists']['differs'] {
  const fields = differing(known, wanted);
  if (!fields.includes('url')) return { by: 'fields', fields };
  const address = shownAddress(known.url);
  // The hidden part of an address may be a secret.
  return address === shownAddress(wanted.url) ? { by: 'credentials' } : { by: 'url', address };
}
