import { isIPv6 } from 'node:net';
import { Groups } from './groups.ts';

/** Maximum open connections in total. Streams need one each (1,024 at most), and browsers keep some more. */
export const MAX_CONNECTIONS = 2_048;
/** Maximum of those without a request from a signed-in person, in total. */
export const MAX_UNKNOWN = 512;
/** The same limit for one address, which may be a proxy for many people. */
export const MAX_UNKNOWN_OF_ADDRESS = 256;
/** Connections of one person: twice their streams. */
export const MAX_CONNECTIONS_OF_PERSON = 256;
/** Requests that a connection may send without waiting for answers; neither browsers nor proxies pipeline. */
export const MAX_REQUESTS_AT_ONCE = 4;

/** The socket members that the limits use. */
export interface LimitedSocket {
  readonly remoteAddress?: string | undefined;
  readonly destroyed: boolean;
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** An admitted connection. */
export interface Connection {
  /** The connection's owner for limits by address (`addressKey`). */
  readonly address: string;
  /** Records a request of this person: the connection counts as theirs from now on. */
  vouch(person: string): void;
  /**
   * Begins a request; the returned function ends it. `isComplete`: whether the whole request has arrived. Undefined:
   * the request exceeds the limit, and the connection is closed.
   */
  serve(isComplete: () => boolean): (() => void) | undefined;
}

interface Entry extends Connection {
  readonly socket: LimitedSocket;
  person: string | undefined;
  /** For each unfinished answer: whether its whole request has arrived. */
  readonly requests: Set<() => boolean>;
}

/** Accepts a burst first: the loop reads in its next turn what it accepts in this one. */
function afterReading(run: () => void): void {
  setImmediate(() => setImmediate(run));
}

/**
 * Enforces limits by closing connections of the largest holders, instead of refusing the next one. Closes the oldest
 * connection that waits for a request or the rest of one: an honest request is complete within moments. Closes a
 * connection that answers a signed-in person only if that person has too many, or if all connections are taken and that
 * person holds at least as many as any address.
 */
export class ConnectionLimits {
  readonly #entries = new Map<LimitedSocket, Entry>();
  /** By address. */
  readonly #unknown = new Groups<Entry>();
  readonly #people = new Groups<Entry>();
  readonly #defer: (run: () => void) => void;
  #isTrimming = false;

  constructor(defer: (run: () => void) => void = afterReading) {
    this.#defer = defer;
  }

  get count(): number {
    return this.#entries.size;
  }

  /** Returns the connection of a socket. A new one counts, and may displace another one. */
  of(socket: LimitedSocket): Connection {
    return this.#entries.get(socket) ?? this.#admit(socket);
  }

  #admit(socket: LimitedSocket): Connection {
    const requests = new Set<() => boolean>();
    const entry: Entry = {
      socket,
      address: addressKey(socket.remoteAddress),
      person: undefined,
      requests,
      vouch: (person) => this.#vouch(entry, person),
      serve: (isComplete) => {
        if (requests.size >= MAX_REQUESTS_AT_ONCE) this.#close(entry);
        if (socket.destroyed) return undefined;
        requests.add(isComplete);
        return () => void requests.delete(isComplete);
      },
    };
    // Requests read before the close may still be answered, without a reader.
    if (socket.destroyed) return entry;
    this.#entries.set(socket, entry);
    socket.once('close', () => this.#forget(entry));
    if (this.#unknown.add(entry.address, entry) > MAX_UNKNOWN_OF_ADDRESS || this.#isFull) this.#trimSoon();
    return entry;
  }

  get #isFull(): boolean {
    return this.#unknown.count > MAX_UNKNOWN || this.count > MAX_CONNECTIONS;
  }

  #trimSoon(): void {
    if (this.#isTrimming) return;
    this.#isTrimming = true;
    this.#defer(() => {
      this.#isTrimming = false;
      this.#trim();
    });
  }

  #trim(): void {
    const unknown = this.#unknown;
    while (unknown.largest().size > MAX_UNKNOWN_OF_ADDRESS || unknown.count > MAX_UNKNOWN)
      this.#close(leastWorth(unknown.largest()));
    while (this.count > MAX_CONNECTIONS) {
      const [ofPerson, ofAddress] = [this.#people.largest(), unknown.largest()];
      this.#close(
        firstAtRest(ofPerson) ?? leastWorth(ofPerson.size >= ofAddress.size ? ofPerson : ofAddress),
      );
    }
  }

  #vouch(entry: Entry, person: string): void {
    if (entry.person === person || !this.#entries.has(entry.socket)) return;
    this.#leaveGroup(entry);
    entry.person = person;
    if (this.#people.add(person, entry) > MAX_CONNECTIONS_OF_PERSON)
      this.#close(firstAtRest(this.#people.of(person), entry) ?? entry);
  }

  #leaveGroup(entry: Entry): void {
    if (entry.person === undefined) this.#unknown.delete(entry.address, entry);
    else this.#people.delete(entry.person, entry);
  }

  #forget(entry: Entry): void {
    this.#leaveGroup(entry);
    this.#entries.delete(entry.socket);
  }

  #close(entry: Entry | undefined): void {
    if (entry === undefined) return;
    // The system reports the close only later.
    this.#forget(entry);
    entry.socket.destroy();
  }
}

function leastWorth(group: ReadonlySet<Entry>): Entry | undefined {
  const [oldest] = group;
  return firstAtRest(group) ?? oldest;
}

/** Returns the oldest connection that serves no complete request: it is idle, or a request is still arriving. */
function firstAtRest(group: ReadonlySet<Entry>, except?: Entry): Entry | undefined {
  for (const entry of group) {
    if (entry !== except && ![...entry.requests].some((isComplete) => isComplete())) return entry;
  }
  return undefined;
}

/**
 * Returns an address as limits count it. Hosts choose the last 64 bits of an IPv6 address (RFC 4291, section 2.5.4):
 * all addresses of such a network are one. Ignores headers of proxies, because clients can forge them.
 */
export function addressKey(address: string | undefined): string {
  const plain = (address ?? '').replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}
