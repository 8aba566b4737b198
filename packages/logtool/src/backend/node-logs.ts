import type { KubeClient, LogQuery, LogResponse } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { restartsOfRun } from '../domain/container.ts';
import type { ContainerFolder } from './container-folder.ts';
import { KubeletFolder } from './kubelet-folder.ts';
import type { BackendContext, LogBackend, RunToRead } from './log-backend.ts';
import type { RunFiles } from './run-files.ts';
import { type RunQuery, runLines } from './run-lines.ts';

export interface NodeLogsOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /**
   * All files of a run, or only those that were rotated away. If a node refuses its files, `all` reports it and reads
   * what the log API has; `rotated` fails.
   */
  readonly files: 'all' | 'rotated';
}

/**
 * Reads the files that a node keeps of a container, through the kubelet's file server; the log API has only the newest
 * one. Needs `get nodes/proxy`. A follow, and a run without older files, stays on the log API.
 */
export class NodeLogs implements LogBackend {
  readonly name: string;
  readonly #options: NodeLogsOptions;
  /** Nodes that refused their files. */
  readonly #refused = new Set<string>();

  constructor(options: NodeLogsOptions) {
    this.#options = options;
    this.name = `node-files-${options.files}`;
  }

  async open(
    { target, containerId }: RunToRead,
    query: LogQuery,
    context: BackendContext,
  ): Promise<LogResponse> {
    const { client, files } = this.#options;
    const { signal } = context;
    const { node } = target.placement;
    const isReadable = query.follow !== true && node !== undefined && containerId !== '';
    if (!isReadable || this.#refused.has(node)) return this.#newest(query, signal);
    const run = restartsOfRun(target, containerId);
    const folder = new KubeletFolder(client, { ...target, node }, signal);
    const listed = await this.#list(folder, run, node, context);
    if (listed === undefined) return this.#newest(query, signal);
    if (listed.rotated.length > 0) return this.#files(folder, listed, query, signal);
    const answer = await this.#newest(query, signal);
    // Only now is it certain that the answer is of the file that was the only one.
    const later = files === 'all' ? await folder.filesOf(run) : undefined;
    if (later === undefined || later.rotated.length === 0) return answer;
    await closeBody(answer.body);
    return this.#files(folder, later, query, signal);
  }

  /** Returns what the log API has: nothing of the files that were rotated away. */
  async #newest(query: LogQuery, signal: AbortSignal): Promise<LogResponse> {
    if (this.#options.files === 'rotated') return { status: 200, body: nothing() };
    return this.#options.client.log(query, { signal });
  }

  async #files(
    folder: ContainerFolder,
    files: RunFiles,
    query: RunQuery,
    signal: AbortSignal,
  ): Promise<LogResponse> {
    const { clock, files: choice } = this.#options;
    const body = await runLines(folder, files, query, { clock, signal, hasNewest: choice === 'all' });
    return { status: 200, body };
  }

  async #list(
    folder: ContainerFolder,
    run: number,
    node: string,
    { report }: BackendContext,
  ): Promise<RunFiles | undefined> {
    try {
      return await folder.filesOf(run);
    } catch (error) {
      const why = refusalIn(error);
      if (why === undefined || this.#options.files === 'rotated') throw error;
      if (!this.#refused.has(node))
        report({ type: 'notice', code: 'node-files-refused', data: { node, why } });
      this.#refused.add(node);
      return undefined;
    }
  }
}

/** Returns why a node does not serve its files: `disabled` by a setting (test/recorded/nodes/disabled-file.json). */
function refusalIn(error: unknown): 'forbidden' | 'disabled' | undefined {
  if (isKubeError(error, 'forbidden')) return 'forbidden';
  return isKubeError(error, 'http') && error.status === 405 ? 'disabled' : undefined;
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}

/** Ends a body that is not read: its connection is free then. */
async function closeBody(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of body) break;
}
