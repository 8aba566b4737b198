import { isLoopback, parseHost } from '../../../server/security/allowed-hosts.ts';
import type { CliContext } from '../../context.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { badValue } from '../../messages/errors.ts';
import { loadSettings } from '../../settings/load-settings.ts';
import type { Settings } from '../../settings/settings.ts';
import { expectNamespaces } from '../plan-allowed-namespaces.ts';
import { planConnection } from '../plan-connection.ts';
import { MAX_PORT } from '../plan-port.ts';
import type { HttpAddress, McpPlan } from './mcp-plan.ts';

export async function planMcp(
  context: Pick<CliContext, 'env' | 'files' | 'homeDirectory' | 'workingDirectory'>,
  raw: RawArguments,
): Promise<McpPlan> {
  const settings = await loadSettings(context, 'mcp', raw);
  return {
    connection: planConnection(settings, context),
    allowedNamespaces: planAllowedNamespaces(settings),
    redacts: settings.value('redact'),
    http: planHttp(settings),
  };
}

function planAllowedNamespaces(settings: Settings<'mcp'>): readonly string[] {
  const given = settings.first('allow-namespace') ?? { written: '--allow-namespace' };
  return expectNamespaces(settings.value('allow-namespace'), given);
}

/** Only this machine may connect: others could read all logs that the credentials allow. */
function planHttp(settings: Settings<'mcp'>): HttpAddress | undefined {
  const text = settings.value('http');
  if (text === undefined) return undefined;
  const address = parseHost(/^\d+$/.test(text) ? `127.0.0.1:${text}` : text);
  const port = Number(address?.port);
  if (address?.port !== undefined && port <= MAX_PORT && isLoopback(address.name))
    return { host: address.name, port };
  throw badValue('bad-http-address', settings.first('http') ?? { value: text, written: '--http' }, {});
}
