import type { KubeClient, LogQuery, LogResponse } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { type ContainerTarget, restartsOfRun } from '../domain/container.ts';
import type { AgentLack } from '../domain/notice.ts';
import { LOG_API } from '../domain/window.ts';
import type { BackendContext, LogBackend, RunToRead } from './log-backend.ts';

/** What the agent, or the API before it, says of files that a node does not have (agent-api/status/log-status.ts). */
const WITHOUT_FILES = /^(?:pods "|no files of )/;

/**
 * Reads all files that a node has of a run through the agent on it, by the API of logtool in the cluster; the log API has
 * only the newest one. Needs `get pods/log` of the group logtool.dev. A follow goes on over rotations. Where there is no
 * agent, reads the log API, and reports that once.
 */
export class AgentLogs implements LogBackend {
  readonly name = 'agent';
  readonly #client: Pick<KubeClient, 'log'>;
  #isInstalled = true;
  /** Namespaces in which the API refuses this person. */
  readonly #refused = new Set<string>();
  readonly #reported = new Set<string>();

  constructor(client: Pick<KubeClient, 'log'>) {
    this.#client = client;
  }

  async open(
    { target, containerId }: RunToRead,
    query: LogQuery,
    context: BackendContext,
  ): Promise<LogResponse> {
    const client = this.#client;
    const { signal } = context;
    // Files are numbered by run: of an unknown one, the log API has the current log.
    const { podUid: uid, namespace } = target;
    const isReadable = this.#isInstalled && !this.#refused.has(namespace) && containerId !== '';
    if (!isReadable) return client.log(query, { signal });
    const parameters = { uid, run: String(restartsOfRun(target, containerId)) };
    const { previous: _, ...current } = query;
    try {
      return await client.log({ ...current, from: { ...LOG_API, parameters } }, { signal });
    } catch (error) {
      // A run that began just now, or was removed: the log API says which.
      if (isKubeError(error, 'not-found') && WITHOUT_FILES.test(error.message))
        return client.log(query, { signal });
      const why = lackIn(error);
      if (why === undefined) throw error;
      this.#report(why, target, context);
      return client.log(query, { signal });
    }
  }

  #report(why: AgentLack, { namespace, placement }: ContainerTarget, { report }: BackendContext): void {
    this.#isInstalled = why !== 'not-installed';
    if (why === 'forbidden') this.#refused.add(namespace);
    const about = {
      'not-installed': {},
      forbidden: { namespace },
      'not-reachable': { node: placement.node },
    };
    const data = { why, ...about[why] };
    const key = JSON.stringify(data);
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    report({ type: 'notice', code: 'agent-not-read', data });
  }
}

function lackIn(error: unknown): AgentLack | undefined {
  if (isKubeError(error, 'not-found')) return 'not-installed';
  if (isKubeError(error, 'forbidden')) return 'forbidden';
  return isKubeError(error, 'server') ? 'not-reachable' : undefined;
}
