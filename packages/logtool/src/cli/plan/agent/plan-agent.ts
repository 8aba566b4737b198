import { expandPath } from '../../config-file/locate.ts';
import type { CliContext } from '../../context.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { badValue } from '../../messages/errors.ts';
import { loadSettings } from '../../settings/load-settings.ts';
import type { Settings } from '../../settings/settings.ts';
import { planAllowedNamespaces } from '../plan-allowed-namespaces.ts';
import { planConnection } from '../plan-connection.ts';
import { MAX_PORT } from '../plan-port.ts';
import type { AgentPlan, IssuedBy } from './agent-plan.ts';

export async function planAgent(
  context: Pick<CliContext, 'env' | 'files' | 'homeDirectory' | 'workingDirectory'>,
  raw: RawArguments,
): Promise<AgentPlan> {
  const settings = await loadSettings(context, 'agent', raw);
  return {
    port: planPort(settings),
    logDirectory: expandPath(settings.value('log-directory'), context),
    tlsDirectory: expandPath(settings.value('tls-directory'), context),
    issuedBy: planIssuedBy(settings, context),
    activity: settings.value('activity'),
    search: {
      concurrency: settings.value('search-concurrency'),
      maxBytes: settings.value('max-scan-bytes') || undefined,
    },
    logLevel: settings.value('log-level'),
    allowedNamespaces: planAllowedNamespaces(settings),
    connection: planConnection(settings, context),
  };
}

const ADDRESS = /^(?:\[([\da-fA-F:.]+)\]|([^:/@\s]+)):(\d{1,5})$/;

function planIssuedBy(
  settings: Settings<'agent'>,
  context: Parameters<typeof expandPath>[1],
): IssuedBy | undefined {
  const setting = settings.first('api-address');
  if (setting === undefined) return undefined;
  const [, bracketed, plain, digits] = ADDRESS.exec(settings.value('api-address') ?? '') ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port > MAX_PORT) throw badValue('bad-api-address', setting, {});
  return {
    api: { host, port, name: settings.value('api-name') ?? host },
    tokenFile: expandPath(settings.value('token-file'), context),
  };
}

/** Returns the port of --port. */
export function planPort(settings: Settings<'agent' | 'api'>): number {
  const port = settings.value('port');
  const setting = settings.first('port');
  if (port <= MAX_PORT || setting === undefined) return port;
  throw badValue('bad-port', setting, { max: MAX_PORT, next: 'write --port=7501, or --port=0 for any' });
}
