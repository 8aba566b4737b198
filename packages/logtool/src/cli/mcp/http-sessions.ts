import { type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { randomToken } from '../../server/session/random-token.ts';

/** Beyond this the oldest ends: clients that never end their session cannot fill the memory. */
const MAX_SESSIONS = 100;

interface HttpSession {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

/**
 * Sessions of clients of the protocol before 2026-07-28: a cancellation comes as a message of its own, which only the
 * session of the call can find.
 */
export class HttpSessions {
  readonly #create: () => McpServer;
  /** By session ID, the oldest first. */
  readonly #sessions = new Map<string, HttpSession>();

  constructor(create: () => McpServer) {
    this.#create = create;
  }

  async fetch(request: Request): Promise<Response> {
    const known = this.#sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (known !== undefined) return known.transport.handleRequest(request);
    const server = this.#create();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomToken,
      onsessioninitialized: (id) => this.#begin(id, { server, transport }),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    // It has refused what begins no session.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map(({ server }) => server.close()));
  }

  #begin(id: string, session: HttpSession): void {
    this.#sessions.set(id, session);
    const [oldest] = this.#sessions;
    if (this.#sessions.size <= MAX_SESSIONS || oldest === undefined) return;
    this.#sessions.delete(oldest[0]);
    void oldest[1].server.close();
  }
}
