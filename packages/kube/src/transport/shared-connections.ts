import { setMaxListeners } from 'node:events';
import type { Agent } from 'node:http';
import type { ClusterConnection } from '../connection/cluster-connection.ts';
import type { Clock } from '../values/clock.ts';
import { ProblemError } from '../values/problems.ts';
import { abortable } from './abortable.ts';
import { ASSUMED_STREAMS, Http2Link } from './http2-link.ts';

/**
 * With fewer simultaneous streams, each has its own connection, which is faster: loading HTTP/2 costs as much as two
 * more handshakes.
 */
const SHARE_FROM_STREAMS = 5;
/** How many consecutive connections may end without a response although the other side agreed to HTTP/2. */
const MAX_UNANSWERED = 2;

/** The connection that one request uses. */
export interface StreamWay {
  /** Undefined: a separate connection. */
  readonly link: Http2Link | undefined;
  /** Ends the request. */
  readonly release: () => void;
}

/**
 * Lets many long responses share few connections (HTTP/2), if the server agrees in the TLS handshake (ALPN, RFC 7301):
 * the handshakes of a hundred connections take longer than their logs. If the server declines, the client does not
 * offer HTTP/2 again.
 */
export class SharedConnections {
  readonly #connection: ClusterConnection;
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  /** The agent identifies the client certificate: each rotation makes a new agent. */
  #links: { readonly link: Http2Link; readonly agent: Agent }[] = [];
  #streams = 0;
  #allowed = ASSUMED_STREAMS;
  #isRefused = false;
  #mute = 0;

  constructor(connection: ClusterConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
    setMaxListeners(0, this.#closing.signal);
  }

  /**
   * Returns a separate connection if few are in use or sharing is impossible; undefined if the caller must `take` one
   * and wait for its turn.
   */
  takeOwn(): StreamWay | undefined {
    if (!this.#connection.http2 || this.#isRefused) return { link: undefined, release: () => {} };
    if (this.#streams >= SHARE_FROM_STREAMS || this.#noticing().length > 0) return undefined;
    return { link: undefined, release: this.#enter(undefined) };
  }

  /** Gets a connection. Rejects as ClusterConnection.connect does, or with the signal's reason. */
  async take(signal: AbortSignal | undefined): Promise<StreamWay> {
    const link = this.#streams < SHARE_FROM_STREAMS ? undefined : this.#linkWithCapacity();
    const release = this.#enter(link);
    try {
      if (link === undefined || (await abortable(link.opened, signal)) === 'h2') {
        await this.#resetsNoticed(signal);
        return { link, release };
      }
    } catch (error) {
      release();
      throw error;
    }
    this.refuse();
    release();
    return { link: undefined, release };
  }

  /** Counts a request; returns the function that ends it. */
  #enter(link: Http2Link | undefined): () => void {
    this.#streams++;
    link?.enter();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#streams--;
      // The server notices the end of a separate connection in no fixed order with requests on the others.
      if (link === undefined) for (const shared of this.#links) shared.link.noteReset();
      else link.leave();
    };
  }

  /** Stops offering HTTP/2, because the server wants HTTP/1.1. */
  refuse(): void {
    this.#isRefused = true;
    for (const { link } of this.#links) link.retire();
  }

  close(): void {
    this.#closing.abort(new ProblemError({ code: 'connection-closed', data: {} }));
    for (const { link } of this.#links) link.destroy();
    this.#links = [];
  }

  /**
   * Waits until the server has noticed the end of the requests that this one replaces; otherwise it might see more at
   * once than it allows.
   */
  async #resetsNoticed(signal: AbortSignal | undefined): Promise<void> {
    const noticing = this.#noticing();
    if (noticing.length > 0) await abortable(Promise.all(noticing), signal);
  }

  #noticing(): Promise<void>[] {
    return this.#links.flatMap(({ link }) => link.noticing ?? []);
  }

  #linkWithCapacity(): Http2Link {
    const agent = this.#connection.agent();
    for (const known of this.#links) if (known.agent !== agent) known.link.retire();
    const free = this.#links.find(({ link }) => link.hasCapacity);
    if (free !== undefined) return free.link;
    const link = new Http2Link({
      connect: () => this.#connection.connect(['h2', 'http/1.1'], this.#closing.signal),
      origin: this.#connection.server.origin,
      clock: this.#clock,
      assumedStreams: this.#allowed,
      onAllowed: (streams) => {
        if (streams === 0) this.refuse();
        else this.#allowed = streams;
      },
      onGone: (gone) => {
        this.#links = this.#links.filter((known) => known.link !== gone);
      },
      onEnd: (wasMute) => {
        this.#mute = wasMute ? this.#mute + 1 : 0;
        if (this.#mute >= MAX_UNANSWERED) this.refuse();
      },
    });
    this.#links.push({ link, agent });
    return link;
  }
}
