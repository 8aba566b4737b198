import { setMaxListeners } from 'node:events';
import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, systemClock } from '../values/clock.ts';
import { ProblemError } from '../values/problems.ts';
import { TCP_KEEP_ALIVE_MS } from './dial.ts';
import { SpareSockets } from './spare-sockets.ts';

/**
 * Idle sockets kept for the next request; streams take as many sockets as they need. Equals the number of logs read at
 * once: these end together, and otherwise each of the next ones would begin with a handshake.
 */
const KEPT_SOCKETS = 100;

/** An agent whose sockets all lead to one API server, over whatever route `open` takes. */
export class ClusterAgent extends Agent {
  readonly #sockets: SpareSockets;
  readonly #closing = new AbortController();
  /** node:http compares it with the request's protocol. Agent has this field, but its types lack it. */
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
    // Each socket that is opening adds a listener, and the start of a view of many containers opens many sockets.
    setMaxListeners(0, this.#closing.signal);
  }

  /** Opens `count` connections for the first requests. */
  preconnect(count: number): void {
    this.#sockets.preconnect(count);
  }

  /**
   * Announces that `count` simultaneous requests follow the next one. If the server is far away, their connections open
   * together with that one.
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
