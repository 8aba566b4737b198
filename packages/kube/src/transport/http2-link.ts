import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import type { Clock } from '../values/clock.ts';
import { ProblemError } from '../values/problems.ts';
import { REFUSED_STREAM } from './http2-message.ts';
import { watchSilence } from './silence.ts';

/**
 * What a server may send on one stream before the client reads it: separate back-pressure for each stream. A hundred
 * unread streams hold 13 MB; a far server (50 ms) still delivers 2.6 MB/s on each.
 */
const STREAM_WINDOW_BYTES = 128 * 1024;
/**
 * The same, until the client reads on in one of them: a merge needs the first lines of each stream, and the last
 * stream's arrive only after the server has sent all that it may send on the others.
 */
const FIRST_WINDOW_BYTES = 16 * 1024;
/** More than a body reads ahead when many bodies are read. */
const READ_ON_BYTES = 3 * FIRST_WINDOW_BYTES;
/**
 * For all streams together, counted until data arrives, not until it is read: so an unread stream does not block
 * others, and a merge that waits for one of a hundred streams gets it.
 */
const CONNECTION_WINDOW_BYTES = 16 * 1024 * 1024;
/** Used until the server has sent its limit; Go's client, hence kubectl, uses the same. */
export const ASSUMED_STREAMS = 100;
/**
 * Limit for one connection, whatever the server allows: if the connection breaks, the client repeats all of its
 * requests at once.
 */
const MAX_STREAMS = 250;
/** A server that does not respond delays callers no longer than this. */
const NOTICED_MS = 1_000;
/**
 * In MB. Node's default of 10 rejects new streams while the open ones hold more, but the stream windows already limit
 * that.
 */
const SESSION_MEMORY_MB = 256;

export interface LinkOptions {
  /** Opens a socket that has offered `h2`; rejects as ClusterConnection.connect does. */
  readonly connect: () => Promise<Socket>;
  readonly origin: string;
  readonly clock: Clock;
  /** Streams to allow before the server has sent its limit. */
  readonly assumedStreams: number;
  /** Receives the server's limit, now and after each change; 0 means that it allows no more streams. */
  readonly onAllowed: (streams: number) => void;
  /** Called when the link carries nothing any more, or never will. */
  readonly onGone: (link: Http2Link) => void;
  /** Called when the link has ended, with all its requests; `wasMute`: the server responded to none of them. */
  readonly onEnd: (wasMute: boolean) => void;
}

/** One HTTP/2 connection (RFC 9113) that many requests share. */
export class Http2Link {
  /**
   * Resolves when the link can carry requests, or when the server speaks only HTTP/1.1; rejects if it cannot connect.
   */
  readonly opened: Promise<'h2' | 'http/1.1'>;
  /**
   * Whether a response has arrived over it. If so, a request that dies before its own response may have met a restarted
   * server.
   */
  hasAnswered = false;
  readonly #clock: Clock;
  #session: ClientHttp2Session | undefined;
  #socket: Socket | undefined;
  #allowed: number;
  #reserved = 0;
  #hasCarried = false;
  #isWide = false;
  /** In the order of sending. */
  readonly #unanswered = new Set<ClientHttp2Stream>();
  #isRetired = false;
  #isDestroyed = false;
  #stopWatch: (() => void) | undefined;
  /** The ping that checks whether the server has processed resets, and the next ping for resets since then. */
  #asked: Promise<void> | undefined;
  #askedNext: Promise<void> | undefined;

  constructor(options: LinkOptions) {
    this.#clock = options.clock;
    this.#allowed = options.assumedStreams;
    this.opened = this.#open(options);
    // `opened` notifies the waiting callers; there may be none left.
    this.opened.catch(() => options.onGone(this));
  }

  async #open({ connect, origin, onAllowed, onGone, onEnd }: LinkOptions): Promise<'h2' | 'http/1.1'> {
    // Loaded only when many logs are read.
    const [http2, socket] = await Promise.all([import('node:http2'), connect()]);
    if (this.#isDestroyed) {
      socket.destroy();
      throw new ProblemError({ code: 'connection-closed', data: {} });
    }
    if (!('alpnProtocol' in socket) || socket.alpnProtocol !== 'h2') {
      socket.destroy();
      return 'http/1.1';
    }
    const session = http2.connect(origin, {
      createConnection: () => socket,
      settings: { initialWindowSize: FIRST_WINDOW_BYTES, enablePush: false },
      maxSessionMemory: SESSION_MEMORY_MB,
    });
    session.on('remoteSettings', ({ maxConcurrentStreams = MAX_STREAMS }) => {
      this.#allowed = Math.min(MAX_STREAMS, maxConcurrentStreams);
      onAllowed(this.#allowed);
      this.#giveBack(this.#reserved - this.#allowed);
    });
    session.once('connect', () => session.setLocalWindowSize(CONNECTION_WINDOW_BYTES));
    // Each stream receives the error as well.
    session.on('error', () => {});
    session.once('close', () => {
      this.#stopWatch?.();
      onGone(this);
      onEnd(this.#hasCarried && !this.hasAnswered);
    });
    this.#session = session;
    this.#socket = socket;
    this.#setUse();
    return 'h2';
  }

  /** Whether the link can carry one more request. */
  get hasCapacity(): boolean {
    if (this.#isRetired || this.isGone) return false;
    return this.#reserved < this.#allowed;
  }

  get isGone(): boolean {
    return this.#session?.closed === true || this.#session?.destroyed === true;
  }

  /** Reserves a place for a future request. */
  enter(): void {
    this.#reserved++;
    this.#setUse();
  }

  /** Releases the place of a request that ended. */
  leave(): void {
    this.#reserved--;
    this.#setUse();
  }

  /**
   * Opens a stream. Throws Node's error for a session that has ended, and an error if the server has since lowered its
   * limit.
   */
  request(headers: OutgoingHttpHeaders): ClientHttp2Stream {
    if (this.#session === undefined) throw new ProblemError({ code: 'connection-ended', data: {} });
    // The stream would wait inside the session until another one ends.
    if (this.#reserved > this.#allowed)
      throw new ProblemError({ code: 'request-given-up', data: { reset: 'REFUSED_STREAM' } });
    this.#hasCarried = true;
    const stream = this.#session.request(headers, { endStream: true });
    const forget = () => void this.#unanswered.delete(stream);
    this.#unanswered.add(stream);
    stream.once('response', forget).once('close', forget);
    return stream;
  }

  /**
   * Notes the number of bytes read of one response. The larger window also applies to responses that are still open
   * (section 6.9.2).
   */
  noteRead(bytes: number): void {
    if (bytes < READ_ON_BYTES || this.#isWide || this.#session?.destroyed !== false) return;
    this.#isWide = true;
    this.#session.settings({ initialWindowSize: STREAM_WINDOW_BYTES });
  }

  /** Resolves when the server has noticed the resets so far; undefined if it already has. */
  get noticing(): Promise<void> | undefined {
    return this.#askedNext ?? this.#asked;
  }

  /**
   * Notes that a client canceled a request. A connection processes its frames in order, so the response to a ping shows
   * that the server has processed the reset. A caller with a limited number of requests sends the next one only after
   * that, over any connection.
   */
  noteReset(): void {
    // A link that is still opening pings once it is open.
    if (this.#asked === undefined) this.#asked = this.#askAfter(this.opened);
    else this.#askedNext ??= this.#askAfter(this.#asked);
  }

  async #askAfter(before: Promise<unknown>): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(NOTICED_MS, resolve);
      const onAnswer = () => {
        cancel();
        resolve();
      };
      before.then(() => {
        if (this.#session === undefined) onAnswer();
        else askForSign(this.#session, onAnswer);
      }, onAnswer);
    });
    this.#asked = this.#askedNext;
    this.#askedNext = undefined;
    this.#setUse();
  }

  /** Closes streams that exceed the server's limit: it rejects some, and others would wait here for those to end. */
  #giveBack(count: number): void {
    if (count <= 0) return;
    for (const stream of [...this.#unanswered].slice(-count)) stream.close(REFUSED_STREAM);
  }

  /** Takes no more requests; ends after its last current request. */
  retire(): void {
    this.#isRetired = true;
    this.#setUse();
  }

  /** Ends the link with all its requests. */
  destroy(error?: Error): void {
    this.#isDestroyed = true;
    this.#session?.destroy(error);
    // The session waits until it has written the rest, and after GOAWAY until the other side closes.
    this.#socket?.destroy();
  }

  /** An idle connection keeps neither the process nor its watch running; one that takes no more requests ends. */
  #setUse(): void {
    const session = this.#session;
    if (session === undefined) return;
    if (this.#reserved > 0) {
      if (session.destroyed) return;
      session.ref();
      this.#stopWatch ??= this.#watch(session);
      return;
    }
    this.#stopWatch?.();
    this.#stopWatch = undefined;
    session.unref();
    if ((this.#isRetired || this.isGone) && this.#asked === undefined) this.destroy();
  }

  #watch(session: ClientHttp2Session): () => void {
    return watchSilence({
      clock: this.#clock,
      bytesRead: () => this.#socket?.bytesRead ?? 0,
      isStuck: () => !session.destroyed && (session.state.outboundQueueSize ?? 0) > 0,
      ask: (onAnswer) => askForSign(session, onAnswer),
      onDead: (error) => this.destroy(error),
    });
  }
}

/**
 * Calls back when the server has read everything sent so far, or the session has ended. Sends a PING; after GOAWAY Node
 * sends none, so this uses SETTINGS, which servers acknowledge as well.
 */
function askForSign(session: ClientHttp2Session, onAnswer: () => void): void {
  if (session.destroyed) onAnswer();
  else if (session.closed) session.settings({}, onAnswer);
  else if (!session.ping(onAnswer)) onAnswer();
}
