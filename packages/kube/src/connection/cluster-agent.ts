import { setMaxListeners } from 'node:events';
import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, systemClock } from '../values/clock.ts';
import { ProblemError } from '../values/problems.ts';
import { TCP_KEEP_ALIVE_MS } from './dial.ts';
import { SpareSockets } from './spare-sockets.ts';

/**
 * Idle sockets kept for the next request; streams take as many sockets as they need. As many as logs are read at once:
 * in turns they end together, and the next ones would all begin with a handshake.
 */
const KEPT_SOCKETS = 100;

/** An agent whose sockets all lead to one API server, by whatever way `open` takes. */
export class ClusterAgent extends Agent {
  readonly #sockets: SpareSockets;
  readonly #closing = new AbortController();
  /** node:http compares it with the request's; a field that Agent has and its types lack. */
  readonly protocol: string;
  readonly defaultPort: number;

  constructor(tls: boolean, open: (signal: AbortSignal) => Promise<Socket>, clock: Clock = systemClock) {
    const options: AgentOptions = {
      keepAlive: true,
      keepAliveMsecs: TCP_KEEP_ALIVE_MS,
      maxFreeSockets: KEPT_SOCKETS,
      scheduling: 'lifo',
    };
    super(options);
    this.protocol = tls ? 'https:' : 'http:';
    this.defaultPort = tls ? 443 : 80;
    this.#sockets = new SpareSockets(clock, () => open(this.#closing.signal));
    // Each socket that is being opened listens; many are, when a view of many containers begins.
    setMaxListeners(0, this.#closing.signal);
  }

  /** Opens connections for the first requests, that many. */
  preconnect(count: number): void {
    this.#sockets.preconnect(count);
  }

  /**
   * Announces that this many simultaneous requests follow the next one: far from the server, their
   * connections open with it.
   */
  warm(count: number): void {
    this.#sockets.want(count);
  }

  override createConnection(
    _options: ClientRequestArgs,
    callback?: (error: Error | null, socket: Socket) => void,
  ): undefined {
    this.#sockets.take().then(
      (socket) => callback?.(null, socket),
      (error) => callback?.(error, undefined as unknown as Socket),
    );
  }

  override destroy(): void {
    this.#closing.abort(new ProblemError({ code: 'connection-closed', data: {} }));
    this.#sockets.close();
    super.destroy();
  }
}
