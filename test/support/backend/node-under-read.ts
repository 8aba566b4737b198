import { join } from 'node:path';
import type { KubeClient, LogQuery } from '@logtool/kube/src/client.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { NodeLogs, type NodeLogsOptions } from '@logtool/logtool/src/backend/node-logs.ts';
import { type ContainerTarget, currentRunId } from '@logtool/logtool/src/domain/container.ts';
import type { Frame } from '@logtool/logtool/src/domain/frame.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { simClient } from '../server/sim-client.ts';
import { NodeFolder } from './node-folder.ts';

const NAMESPACE = 'shop';
const POD = 'web';
const NODE = 'node-1';
const READS = { apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list', 'watch'] };

/** A container of the pod; a test keeps in `whole` what it has in several files of `app`. */
type ContainerName = 'app' | 'whole';

/** Who reads: the administrator, or a user who may read logs, but no files of nodes. */
type UserName = 'admin' | 'reader';

interface RunRead {
  readonly target: ContainerTarget;
  /** Default: the current run. */
  readonly containerId?: string;
}

/**
 * A pod of the simulated cluster whose files on its node a test writes. What the kubelet's file server and the log API
 * return of them is read over HTTP, as from any cluster. The node `closed` serves no files.
 */
export class NodeUnderRead {
  readonly cluster: SimCluster;
  readonly target: ContainerTarget;
  /** The files of `app`, and those of `whole`. */
  readonly app: NodeFolder;
  readonly whole: NodeFolder;
  /** Number of requests for files since a test set it to 0. */
  fileRequests = 0;
  /** Called before a request for files, with their number before it: what happens on the node meanwhile. */
  onFileRequest: (number: number) => void = () => {};
  readonly #clients: Readonly<Record<UserName, KubeClient>>;

  private constructor(cluster: SimCluster, clients: Readonly<Record<UserName, KubeClient>>) {
    this.cluster = cluster;
    this.#clients = clients;
    this.target = targetIn(cluster);
    this.app = this.#folder('app');
    this.whole = this.#folder('whole');
  }

  static async start(): Promise<NodeUnderRead> {
    const cluster = await startSimCluster({
      scenario: {
        startDelays: 'none',
        namespaces: [NAMESPACE],
        nodes: [{ name: NODE }, { name: 'closed', enableSystemLogHandler: false, unschedulable: true }],
        users: [{ name: 'reader', rules: [READS] }],
        workloads: [
          { kind: 'Pod', namespace: NAMESPACE, name: POD, containers: [{ name: 'app' }, { name: 'whole' }] },
        ],
      },
    });
    const [admin, reader] = await Promise.all([simClient(cluster), simClient(cluster, 'reader')]);
    return new NodeUnderRead(cluster, { admin, reader });
  }

  /** The folder in which the node keeps all logs, and the names of the folders down to that of `app`. */
  get appPath(): { readonly root: string; readonly path: readonly string[] } {
    return this.#pathOf('app');
  }

  /** Creates the reader of one view. */
  reader(files: NodeLogsOptions['files'], user: UserName = 'admin'): BackendReader {
    const client = this.#clients[user];
    const queries: LogQuery[] = [];
    const watched: KubeClient = {
      ...client,
      log: (query, options) => {
        queries.push(query);
        return client.log(query, options);
      },
      nodeFile: async (query, options) => {
        this.onFileRequest(this.fileRequests++);
        const answer = await client.nodeFile(query, options);
        return { ...answer, body: inPieces(answer.body) };
      },
    };
    return new BackendReader(
      new NodeLogs({ client: watched, clock: systemClock, files }),
      this.target,
      queries,
    );
  }

  /** Returns what the log API has of a container, with timestamps. */
  async ask(container: ContainerName, query: Partial<LogQuery> = {}): Promise<string> {
    const { body } = await this.#clients.admin.log({ ...ADDRESS, container, ...query });
    return textOf(body);
  }

  async close(): Promise<void> {
    for (const client of Object.values(this.#clients)) client.close();
    await this.cluster.close();
  }

  #folder(container: ContainerName): NodeFolder {
    const { root, path } = this.#pathOf(container);
    return new NodeFolder(join(root, ...path));
  }

  #pathOf(container: ContainerName) {
    const pod = `${NAMESPACE}_${POD}_${this.target.podUid}`;
    return { root: join(this.cluster.logDirectory, NODE), path: [pod, container] };
  }
}

const ADDRESS = { namespace: NAMESPACE, pod: POD, container: 'app', timestamps: true };

/** Reads logs as one view does. */
export class BackendReader {
  readonly frames: Frame[] = [];
  /** What it asked the log API for. */
  readonly queries: readonly LogQuery[];
  readonly #logs: NodeLogs;
  readonly #target: ContainerTarget;

  constructor(logs: NodeLogs, target: ContainerTarget, queries: readonly LogQuery[]) {
    this.#logs = logs;
    this.#target = target;
    this.queries = queries;
  }

  /** Returns the whole answer to a query. Throws what the backend and the body throw. */
  async read(query: Partial<LogQuery> = {}, run: RunRead = { target: this.#target }): Promise<string> {
    const { target, containerId = currentRunId(target) } = run;
    const context = {
      signal: new AbortController().signal,
      report: (frame: Frame) => this.frames.push(frame),
    };
    const { body } = await this.#logs.open({ target, containerId }, { ...ADDRESS, ...query }, context);
    return textOf(body);
  }
}

/** Returns the container `app` in its first run. */
function targetIn({ store }: SimCluster): ContainerTarget {
  const pod = store.get('pods', NAMESPACE, POD)!;
  const statuses = pod.status?.containerStatuses as readonly { name: string; containerID: string }[];
  const { containerID } = statuses.find(({ name }) => name === 'app')!;
  return {
    id: `${pod.metadata.uid}/app`,
    namespace: NAMESPACE,
    pod: POD,
    podUid: pod.metadata.uid,
    container: 'app',
    kind: 'regular',
    placement: { node: NODE },
    state: { kind: 'running', containerId: containerID, startedAt: undefined },
    restartCount: 0,
    lastContainerId: undefined,
    mayRestart: true,
    podPhase: 'Running',
    deleting: false,
  };
}

export async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

/** Splits a body into pieces of changing sizes: where it breaks is up to the connection. */
async function* inPieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 1;
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; size = (size * 7) % 4099) {
      yield chunk.subarray(at, at + size);
      at += size;
    }
  }
}
