import type { KubeClient } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { bufferBody } from '@logtool/kube/src/transport/buffer-body.ts';
import type { ContainerFolder, FileRange, OpenFile } from './container-folder.ts';
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

/** A line of a listing; names of log files have no characters that HTML or a URL escapes. */
const LINK = /<a href="([^"]*)">/g;

/** The folder of one container as its node's kubelet serves it. */
export class KubeletFolder implements ContainerFolder {
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

  /** Throws what the client throws: `forbidden` without `nodes/proxy`, `http` 405 if the kubelet serves no files. */
  async filesOf(run: number): Promise<RunFiles | undefined> {
    const listing = (await this.#list(this.#ownPath())) ?? (await this.#listStatic());
    return listing === undefined ? undefined : filesOfRun(namesIn(listing), run);
  }

  async open(name: string, range?: FileRange): Promise<OpenFile> {
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
    const folders = namesIn(pods ?? '').filter((name) => name.startsWith(`${namespace}_${pod}_`));
    const [folder, another] = folders.filter((name) => name.endsWith('/'));
    if (folder === undefined || another !== undefined) return undefined;
    this.#podFolder = folder.slice(0, -1);
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

function namesIn(listing: string): readonly string[] {
  return [...listing.matchAll(LINK)].map(([, name]) => name!);
}
