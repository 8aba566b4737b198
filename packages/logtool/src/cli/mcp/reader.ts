import type { KubeClient } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';

/** All that a tool may know of the world around it. */
export interface McpReader {
  /** A client that only reads (kube/src/transport/read-only.ts). Connects with the first call; a failure is not kept. */
  client(): Promise<KubeClient>;
  readonly clock: Clock;
  /** The only namespaces that tools may read; empty: all. */
  readonly allowedNamespaces: readonly string[];
  readonly redacts: boolean;
  /** Reports what an answer leaves out of an error, to whoever runs the program. */
  readonly onError: (error: unknown) => void;
}

/**
 * The same client, whose errors name nothing of the kubeconfig: what an assistant reads leaves the machine. The default
 * namespace stays, since sources depend on it.
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

  /** An error of a request with what the answers hide of it, for the person who runs the program. */
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
