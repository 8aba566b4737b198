import { expandPath } from '../../config-file/locate.ts';
import type { CliContext } from '../../context.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { loadSettings } from '../../settings/load-settings.ts';
import { planPort } from '../agent/plan-agent.ts';
import { planAllowedNamespaces } from '../plan-allowed-namespaces.ts';
import { planConnection } from '../plan-connection.ts';
import type { ApiPlan } from './api-plan.ts';

export async function planApi(
  context: Pick<CliContext, 'env' | 'files' | 'homeDirectory' | 'workingDirectory'>,
  raw: RawArguments,
): Promise<ApiPlan> {
  const settings = await loadSettings(context, 'api', raw);
  return {
    port: planPort(settings),
    tlsDirectory: expandPath(settings.value('tls-directory'), context),
    certificates: settings.value('certificates'),
    authorityDirectory: planFolder(settings.value('authority-directory'), context),
    agentNamespace: settings.value('agent-namespace'),
    agentSelector: settings.value('agent-selector'),
    logLevel: settings.value('log-level'),
    allowedNamespaces: planAllowedNamespaces(settings),
    connection: planConnection(settings, context),
  };
}

function planFolder(
  folder: string | undefined,
  context: Parameters<typeof expandPath>[1],
): string | undefined {
  return folder === undefined ? undefined : expandPath(folder, context);
}
