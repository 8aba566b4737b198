import type { IncomingHttpHeaders } from 'node:http';
import type { StoredObject } from './store/store.ts';

/** A pods/log request that the API server's proxy sends to the simulated kubelet. */
export interface ContainerLogRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly podUid: string;
  readonly container: string;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  /** ms since the epoch; if it came as sinceTime, the API server has already truncated it to whole seconds. */
  readonly sinceMs: number | undefined;
  readonly signal: AbortSignal;
}

export type ContainerLogAnswer =
  | { readonly kind: 'stream'; readonly body: AsyncIterable<Uint8Array> }
  /** An error of the API server, as a Kubernetes Status (see test/recorded/pods-log). */
  | {
      readonly kind: 'status';
      readonly code: number;
      readonly reason?: string;
      readonly message: string;
      readonly details?: { readonly name: string; readonly kind: string };
    }
  /** 204 without a body: the pod has no node. */
  | { readonly kind: 'no-content' };

/** A request that the API server's proxy forwards to a node's kubelet. */
export interface NodeRequest {
  readonly method: string;
  /** From the kubelet's root, still escaped: `/logs/pods/`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

/** The kubelet's response; the API server forwards it unchanged. */
export interface NodeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<Uint8Array> | undefined;
}

export interface NodeAgent {
  containerLog(request: ContainerLogRequest): Promise<ContainerLogAnswer>;
  /**
   * Handles a proxied request.
   * @throws ApiError 503 if no kubelet listens on the node
   */
  proxied(node: StoredObject, request: NodeRequest): Promise<NodeAnswer>;
}
