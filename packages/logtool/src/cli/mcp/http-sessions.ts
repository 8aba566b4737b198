import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { randomToken } from '../../server/session/random-token.ts';

/** Beyond this the oldest ends: clients that never end their session cannot fill the memory. */
const MAX_SESSIONS = 100;
/** A session without a call for so long ends. */
export const MAX_IDLE_MS = 60 * 60 * 1000;

interface HttpSession {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Requests that are not answered. */
  open: number;
  /** Stops the clock of its end. */
  keep: () => void;
}

/**
 * Sessions of clients of the protocol before 2026-07-28: a cancellation comes as a message of its own, which only the
 * session of the call can find.
 */
export class HttpSessions {
  readonly #create: () => McpServer;
  readonly #clock: Clock;
  /** By session ID, the oldest first. */
  readonly #sessions = new Map<string, HttpSession>();

  constructor(create: () => McpServer, clock: Clock) {
    this.#create = create;
    this.#clock = clock;
  }

  get size(): number {
    return this.#sessions.size;
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id') ?? '';
    const known = this.#sessions.get(id);
    if (known !== undefined) return this.#answer(id, known, request);
    const server = this.#create();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomToken,
      onsessioninitialized: (id) => this.#begin(id, { server, transport, open: 0, keep: () => undefined }),
      onsessionclosed: (id) => this.#forget(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    // It has refused what begins no session.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    for (const id of [...this.#sessions.keys()]) this.#forget(id);
    await Promise.all(sessions.map(({ server }) => server.close()));
  }

  /** A stream of notifications stays open for the life of a client: it is no call. */
  async #answer(id: string, session: HttpSession, request: Request): Promise<Response> {
    if (request.method !== 'POST') return session.transport.handleRequest(request);
    session.keep();
    session.open++;
    try {
      return await session.transport.handleRequest(request);
    } finally {
      session.open--;
      if (this.#sessions.has(id) && session.open === 0) this.#endLater(id, session);
    }
  }

  #begin(id: string, session: HttpSession): void {
    this.#sessions.set(id, session);
    this.#endLater(id, session);
    const [oldest] = this.#sessions;
    if (this.#sessions.size <= MAX_SESSIONS || oldest === undefined) return;
    this.#end(...oldest);
  }

  #endLater(id: string, session: HttpSession): void {
    session.keep();
    session.keep = this.#clock.after(MAX_IDLE_MS, () => this.#end(id, session));
  }

  #end(id: string, { server }: HttpSession): void {
    this.#forget(id);
    void server.close();
  }

  #forget(id: string): void {
    this.#sessions.get(id)?.keep();
    this.#sessions.delete(id);
  }
}
