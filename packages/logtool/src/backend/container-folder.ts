import type { KubeClient, NodeFileQuery } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { bufferBody } from '@logtool/kube/src/transport/buffer-body.ts';
import { filesOfRun, type RunFiles } from './run-files.ts';

/** A listing is a line of 100 bytes a file; the kubelet keeps five files a run. */
const MAX_LISTING_BYTES = 1024 * 1024;

/** Which container's files, on which node. */
export interface ContainerFiles {
  readonly node: string;
  readonly namespace: string;
  readonly pod: string;
  readonly podUid: string;
  readonly container: string;
}

/** Part of a file: from a byte, to another one included; or that many bytes at the end. */
export type FileRange = NonNullable<NodeFileQuery['range']>;

/** The folder on a node that holds the log files of one container, as its kubelet serves it. */
export class ContainerFolder {
  readonly #client: KubeClient;
  readonly #container: ContainerFiles;
  readonly #signal: AbortSignal;
  /** The folder of the pod; its name holds the pod's UID, or for a static pod the hash of its definition. */
  #podFolder: string;

  constructor(client: KubeClient, container: ContainerFiles, signal: AbortSignal) {
    this.#client = client;
    this.#container = container;
    this.#signal = signal;
    const { namespace, pod, podUid } = container;
    this.#podFolder = `${namespace}_${pod}_${podUid}`;
  }

  /**
   * Lists the files of a run; undefined if the node has no folder for the container. Throws what the client throws:
   * `forbidden` without the right to `nodes/proxy`, `http` 405 if the kubelet serves no files.
   */
  async filesOf(run: number): Promise<RunFiles | undefined> {
    const listing = (await this.#list(this.#ownPath())) ?? (await this.#listStatic());
    return listing === undefined ? undefined : filesOfRun(listing, run);
  }

  /** Opens a file. Throws `not-found` if it is not, or no longer, there. */
  async open(name: string, range?: FileRange): Promise<{ from: number; body: AsyncIterable<Uint8Array> }> {
    const { node } = this.#container;
    return this.#client.nodeFile({ node, path: [...this.#ownPath(), name], range }, { signal: this.#signal });
  }

  #ownPath(): readonly string[] {
    return ['pods', this.#podFolder, this.#container.container];
  }

  /** Looks for the folder of a static pod, whose UID in the API is another one (kubelet, config.mirror). */
  async #listStatic(): Promise<string | undefined> {
    const { namespace, pod } = this.#container;
    const pods = await this.#list(['pods']);
    // Names of namespaces and pods have no underscore, and none of their signs is escaped.
    const folders = [...(pods ?? '').matchAll(/<a href="([^"/]+)\/">/g)].map(([, name]) => name!);
    const [folder, another] = folders.filter((name) => name.startsWith(`${namespace}_${pod}_`));
    if (folder === undefined || another !== undefined) return undefined;
    this.#podFolder = folder;
    return this.#list(this.#ownPath());
  }

  async #list(path: readonly string[]): Promise<string | undefined> {
    const query = { node: this.#container.node, path, isFolder: true };
    try {
      const { body } = await this.#client.nodeFile(query, { signal: this.#signal });
      const listing = { encoding: undefined, limitBytes: MAX_LISTING_BYTES, request: undefined };
      return (await bufferBody(body, listing)).toString();
    } catch (error) {
      // A node that does not exist has a Status with its name.
      if (isKubeError(error, 'not-found') && error.details?.name === undefined) return undefined;
      throw error;
    }
  }
}
