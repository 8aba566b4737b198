import { McpServer } from '@modelcontextprotocol/server';
import { Redactor } from '../../domain/redact/redactor.ts';
import { clipBytes } from './answer/clip.ts';
import { INSTRUCTIONS } from './messages/descriptions.ts';
import { errorText } from './messages/message-of.ts';
import type { McpReader } from './reader.ts';
import type { Tool } from './tools/tool.ts';
import { TOOLS } from './tools/tool-table.ts';

const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
/** Maximum size of an error. */
const MAX_ERROR_BYTES = 1024;

/**
 * Creates a server of the protocol with all tools. One server serves one connection, or one request over
 * HTTP.
 */
export function createMcpServer(reader: McpReader, version: string): McpServer {
  const server = new McpServer(
    { name: 'logtool', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  for (const tool of TOOLS) register(server, tool, reader);
  return server;
}

function register(server: McpServer, tool: Tool, reader: McpReader): void {
  const { name, title, description, input, output } = tool;
  server.registerTool(
    name,
    { title, description, inputSchema: input, outputSchema: output, annotations: { title, ...ANNOTATIONS } },
    async (given, { mcpReq: { signal } }) => {
      try {
        const { text, structured } = await tool.call(reader, given, signal);
        return { content: [{ type: 'text', text }], structuredContent: structured };
      } catch (error) {
        signal.throwIfAborted();
        reader.onError(error);
        return { content: [{ type: 'text', text: textOf(error, reader) }], isError: true };
      }
    },
  );
}

/** Formats an error. It contains names of objects and messages of the cluster, so it masks secrets. */
function textOf(error: unknown, { redacts }: McpReader): string {
  const text = errorText(error);
  return clipBytes(redacts ? new Redactor().redact(text).text : text, MAX_ERROR_BYTES);
}
