import { setMaxListeners } from 'node:events';
import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import type { Socket } from 'node:net';
import { TCP_KEEP_ALIVE_MS } from './dial.ts';

/**
 * Idle sockets kept for the next request; streams take as many sockets as they need. As many as logs are read at once:
 * in turns they end together, and the next ones would all begin with a handshake.
 */
const KEPT_SOCKETS = 100;

/** An agent whose sockets all lead to one API server, by whatever way `open` takes. */
export class ClusterAgent extends Agent {
  readonly #open: (signal: AbortSignal) => Promise<Socket>;
  readonly #closing = new AbortController();
  /** node:http compares it with the request's; a field that Agent has and its types lack. */
  readonly protocol: string;
  readonly defaultPort: number;

  constructor(tls: boolean, open: (signal: AbortSignal) => Promise<Socket>) {
    const options: AgentOptions = {
      keepAlive: true,
      keepAliveMsecs: TCP_KEEP_ALIVE_MS,
      maxFreeSockets: KEPT_SOCKETS,
      scheduling: 'lifo',
    };
    super(options);
    this.protocol = tls ? 'https:' : 'http:';
    this.defaultPort = tls ? 443 : 80;
    this.#open = open;
    // Each socket that is being opened listens; many are, when a view of many containers begins.
    setMaxListeners(0, this.#closing.signal);
  }

  override createConnection(
    _options: ClientRequestArgs,
    callback?: (error: Error | null, socket: Socket) => void,
  ): undefined {
    this.#open(this.#closing.signal).then(
      (socket) => callback?.(null, socket),
      (error) => callback?.(error, undefined as unknown as Socket),
    );
  }

  override destroy(): void {
    this.#closing.abort(new Error('the connection was closed'));
    super.destroy();
  }
}
