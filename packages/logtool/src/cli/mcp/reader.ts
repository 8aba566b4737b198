import type { KubeClient } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';

/** Everything a tool knows of its environment. */
export interface McpReader {
  /**
   * Returns a client that only reads (kube/src/transport/read-only.ts). Connects at the first call; does not
   * keep a failure.
   */
  client(): Promise<KubeClient>;
  readonly clock: Clock;
  /** The only namespaces that tools may read; empty means all. */
  readonly allowedNamespaces: readonly string[];
  readonly redacts: boolean;
  /** Reports the parts of an error that an answer omits to the person who runs the program. */
  readonly onError: (error: unknown) => void;
}

/**
 * Returns the same client with errors that name nothing from the kubeconfig: what an agent reads leaves the
 * machine. Keeps the default namespace, because sources depend on it.
 */
export function withoutKubeconfig(client: KubeClient): KubeClient {
  const { namespace } = client.cluster;
  return { ...client, cluster: { context: '', server: '', user: '', namespace } };
}

/** One client for all calls. */
export class SharedClient {
  readonly #connect: () => Promise<KubeClient>;
  #client: Promise<KubeClient> | undefined;
  #cluster: KubeClient['cluster'] | undefined;

  constructor(connect: () => Promise<KubeClient>) {
    this.#connect = connect;
  }

  get(): Promise<KubeClient> {
    this.#client ??= this.#connect().then(
      (client) => {
        this.#cluster = client.cluster;
        return withoutKubeconfig(client);
      },
      (error: unknown) => {
        this.#client = undefined;
        throw error;
      },
    );
    return this.#client;
  }

  /**
   * Returns an error of a request with the details that answers hide, for the person who runs the program.
   */
  revealed(error: unknown): unknown {
    const cause = error instanceof CodedError ? error.cause : error;
    const cluster = this.#cluster;
    return cluster !== undefined && cause instanceof KubeError ? describeKubeError(cause, cluster) : error;
  }

  close(): void {
    this.#client?.then(
      (client) => client.close(),
      () => undefined,
    );
  }
}
