import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from './create-mcp-server.ts';
import type { McpReader } from './reader.ts';

/** Serves one client over standard input and output until either ends, or the signal aborts. */
export async function serveOverStdio(reader: McpReader, version: string, signal: AbortSignal): Promise<void> {
  const transport = new StdioServerTransport();
  const handle = serveStdio(() => createMcpServer(reader, version), { transport, onerror: reader.onError });
  try {
    await untilEnded(signal);
  } finally {
    await handle.close();
  }
}

/** Resolves when the client closes its end or the program ends. */
function untilEnded(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => resolve();
    process.stdin.once('end', end).once('close', end);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
