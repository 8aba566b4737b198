import { isIP } from 'node:net';
import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { createLogger } from '../../server/create-logger.ts';
import { listen } from '../../server/node.ts';
import { randomToken } from '../../server/session/random-token.ts';
import { untilEnded } from '../commands/serve.ts';
import type { CliContext } from '../context.ts';
import { maskSecrets } from '../output/error-text.ts';
import type { HttpAddress } from '../plan/mcp/mcp-plan.ts';
import { createHttpApp, MCP_PATH } from './http-app.ts';
import { listeningText } from './messages/listening.ts';
import type { McpReader } from './reader.ts';

/** Serves clients on this machine over HTTP until the program ends. Throws CodedError if it cannot listen. */
export async function serveOverHttp(
  context: CliContext,
  reader: McpReader,
  { host, port }: HttpAddress,
): Promise<void> {
  const token = randomToken();
  const logger = createLogger({
    level: 'warn',
    write: (line) => void context.stderr.write(line),
    mask: (text) => maskSecrets(sanitizeText(text)),
  });
  const app = createHttpApp({ reader, version: context.version, host, token, logger });
  const server = await listen(app.fetch, { host, port, mayMove: false, purpose: 'mcp' });
  try {
    const name = isIP(host) === 6 ? `[${host}]` : host;
    await context.stdout.write(listeningText(`http://${name}:${server.port}${MCP_PATH}`, token));
    await untilEnded(context.signal);
  } finally {
    await app.close();
    await server.close();
  }
}
