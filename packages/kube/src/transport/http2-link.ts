import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import type { Clock } from '../values/clock.ts';
import { ProblemError } from '../values/problems.ts';
import { REFUSED_STREAM } from './http2-message.ts';
import { watchSilence } from './silence.ts';

/**
 * What a server may send of one stream before it was read: back-pressure of each stream by itself. A hundred that nobody
 * reads hold 13 MB; a far server (50 ms) still gives 2.6 MB/s of each.
 */
const STREAM_WINDOW_BYTES = 128 * 1024;
/**
 * The same, until one of them is read on: a merge needs the first lines of each, and waits for those of the
 * last one until the server has sent everything it may send of the others.
 */
const FIRST_WINDOW_BYTES = 16 * 1024;
/** More than a body reads ahead by itself, when many are read. */
const READ_ON_BYTES = 3 * FIRST_WINDOW_BYTES;
/**
 * Of all streams together, counted until it has arrived, not until it was read: so a stream that nobody reads holds up
 * no other one, and a merge that waits for one of a hundred gets it.
 */
const CONNECTION_WINDOW_BYTES = 16 * 1024 * 1024;
/** Before a server has sent its limit; Go's client, hence kubectl, uses the same. */
export const ASSUMED_STREAMS = 100;
/** On one connection, whatever the server allows: what breaks with it is asked for again at once. */
const MAX_STREAMS = 250;
/** A server that does not answer delays callers no longer than this. */
const NOTICED_MS = 1_000;
/** In MB: Node's 10 refuse new streams while the open ones hold more than that, which is their windows' business. */
const SESSION_MEMORY_MB = 256;

export interface LinkOptions {
  /** A socket that has offered `h2`; rejects as ClusterConnection.connect does. */
  readonly connect: () => Promise<Socket>;
  readonly origin: string;
  readonly clock: Clock;
  /** Streams to allow before the server has sent its limit. */
  readonly assumedStreams: number;
  /** How many the server says, now and whenever that changes; 0: none any more. */
  readonly onAllowed: (streams: number) => void;
  /** Carries nothing any more, or never will. */
  readonly onGone: (link: Http2Link) => void;
  /** Has ended, with all that it carried; `wasMute`: nothing of it was answered. */
  readonly onEnd: (wasMute: boolean) => void;
}

/** One HTTP/2 connection (RFC 9113) that many requests share. */
export class Http2Link {
  /**
   * Resolves when it can carry requests, or when the server speaks only HTTP/1.1; rejects if it cannot
   * connect.
   */
  readonly opened: Promise<'h2' | 'http/1.1'>;
  /** An answer has come over it, so a request that dies before its own may meet a server that was restarted. */
  hasAnswered = false;
  readonly #clock: Clock;
  #session: ClientHttp2Session | undefined;
  #socket: Socket | undefined;
  #allowed: number;
  #reserved = 0;
  #hasCarried = false;
  #isWide = false;
  /** In the order in which they were sent. */
  readonly #unanswered = new Set<ClientHttp2Stream>();
  #isRetired = false;
  #isDestroyed = false;
  #stopWatch: (() => void) | undefined;
  /**
   * The ping that asks whether the server has processed resets, and the next one for those that came since.
   */
  #asked: Promise<void> | undefined;
  #askedNext: Promise<void> | undefined;

  constructor(options: LinkOptions) {
    this.#clock = options.clock;
    this.#allowed = options.assumedStreams;
    this.opened = this.#open(options);
    // Notifies the waiting callers; there may be none left.
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
    // Each stream gets it as well.
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

  /** Whether one more request may be sent over it. */
  get hasCapacity(): boolean {
    if (this.#isRetired || this.isGone) return false;
    return this.#reserved < this.#allowed;
  }

  get isGone(): boolean {
    return this.#session?.closed === true || this.#session?.destroyed === true;
  }

  /** Takes a place for a request that is to come. */
  enter(): void {
    this.#reserved++;
    this.#setUse();
  }

  /** The request of a place is over. */
  leave(): void {
    this.#reserved--;
    this.#setUse();
  }

  /** Throws what Node throws for a session that has ended, and if the server has since lowered its limit. */
  request(headers: OutgoingHttpHeaders): ClientHttp2Stream {
    if (this.#session === undefined) throw new ProblemError({ code: 'connection-ended', data: {} });
    // It would wait inside the session for another one to end.
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
   * The number of bytes read of one answer. The larger window is also for answers that are still open
   * (section 6.9.2).
   */
  noteRead(bytes: number): void {
    if (bytes < READ_ON_BYTES || this.#isWide || this.#session?.destroyed !== false) return;
    this.#isWide = true;
    this.#session.settings({ initialWindowSize: STREAM_WINDOW_BYTES });
  }

  /** Resolves when the server has noticed the resets so far; undefined if it has. */
  get noticing(): Promise<void> | undefined {
    return this.#askedNext ?? this.#asked;
  }

  /**
   * A client gave up a request. A connection processes its frames in order, so the answer to a ping shows
   * that the server has processed the reset: a caller with a limited number of requests sends the next one
   * after that, over any connection.
   */
  noteReset(): void {
    // One that is being opened carries the question first.
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

  /** More were sent than the server takes: it refuses some, and others would wait here for those to end. */
  #giveBack(count: number): void {
    if (count <= 0) return;
    for (const stream of [...this.#unanswered].slice(-count)) stream.close(REFUSED_STREAM);
  }

  /** Takes no more requests; ends with the last of those that it carries. */
  retire(): void {
    this.#isRetired = true;
    this.#setUse();
  }

  /** With all that it carries. */
  destroy(error?: Error): void {
    this.#isDestroyed = true;
    this.#session?.destroy(error);
    // The session waits until it has written the rest, and after a goodbye until the other side closes.
    this.#socket?.destroy();
  }

  /** An idle connection keeps neither the process alive nor a watch; one that takes nothing more ends. */
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
 * Calls back when the server has read everything sent so far, or the session has ended. Sends a PING, but
 * after a goodbye Node sends none; servers acknowledge SETTINGS as well.
 */
function askForSign(session: ClientHttp2Session, onAnswer: () => void): void {
  if (session.destroyed) onAnswer();
  else if (session.closed) session.settings({}, onAnswer);
  else if (!session.ping(onAnswer)) onAnswer();
}
