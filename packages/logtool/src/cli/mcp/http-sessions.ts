import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { randomToken } from '../../server/session/random-token.ts';

/**
 * Above this number the oldest session ends, so that clients that never end theirs cannot fill the memory.
 */
const MAX_SESSIONS = 100;
/** A session ends after this time without a call. */
export const MAX_IDLE_MS = 60 * 60 * 1000;

interface HttpSession {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Unanswered requests. */
  open: number;
  /** Cancels the idle timeout. */
  keep: () => void;
}

/**
 * Sessions of clients of the protocol before 2026-07-28: a cancellation is a separate message, which only the
 * call's session can assign.
 */
export class HttpSessions {
  readonly #create: () => McpServer;
  readonly #clock: Clock;
  /** By session ID, oldest first. */
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
    // The transport has rejected a request that starts no session.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    for (const id of [...this.#sessions.keys()]) this.#forget(id);
    await Promise.all(sessions.map(({ server }) => server.close()));
  }

  /**
   * Answers a request. A stream of notifications stays open as long as its client, so it does not count as a
   * call.
   */
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
