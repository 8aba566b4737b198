import { isIP } from 'node:net';
import { isLoopback, parseHost } from '../../../server/security/allowed-hosts.ts';
import { expandPath } from '../../config-file/locate.ts';
import type { CliContext } from '../../context.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { badValue, usageFailure } from '../../messages/errors.ts';
import { loadSettings } from '../../settings/load-settings.ts';
import type { Settings } from '../../settings/settings.ts';
import { planAllowedNamespaces } from '../plan-allowed-namespaces.ts';
import { planDashboardColumns } from '../plan-columns.ts';
import { planConnection } from '../plan-connection.ts';
import { MAX_PORT, planPort } from '../plan-port.ts';
import type { Auth, LogLevel, ServePlan } from './serve-plan.ts';

export async function planServe(
  context: Pick<CliContext, 'env' | 'files' | 'homeDirectory' | 'workingDirectory'>,
  raw: RawArguments,
): Promise<ServePlan> {
  const settings = await loadSettings(context, 'serve', raw);
  const host = planHost(settings);
  const connection = planConnection(settings, context);
  const auth = planAuth(settings, host, connection.inCluster);
  const port = planPort(settings);
  return {
    host,
    ...port,
    metricsPort: planMetricsPort(settings, port.port),
    logLevel: planLogLevel(settings),
    skipOpen: settings.value('skip-open'),
    ...auth,
    sessionKeyFile: planSessionKeyFile(settings, auth.auth, context),
    allowedHosts: planAllowedHosts(settings),
    allowedNamespaces: planAllowedNamespaces(settings),
    basePath: planBasePath(settings),
    columns: planDashboardColumns(settings),
    connection,
  };
}

/** --debug asks for requests; the log shows them. */
function planLogLevel(settings: Settings<'serve'>): LogLevel {
  const isAsked = settings.first('log-level') !== undefined;
  return !isAsked && settings.value('debug') ? 'debug' : settings.value('log-level');
}

function planHost(settings: Settings<'serve'>): string {
  const text = settings.value('host');
  const host = text.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 || (!host.includes(':') && parseHost(host) !== undefined)) return host;
  const setting = settings.first('host') ?? { value: text, written: '--host' };
  throw badValue('bad-host', setting, {});
}

function planMetricsPort(settings: Settings<'serve'>, dashboardPort: number): number | undefined {
  const port = settings.value('metrics-port');
  if (port === undefined) return undefined;
  const setting = settings.first('metrics-port') ?? { value: String(port), written: '--metrics-port' };
  if (port > MAX_PORT)
    throw badValue('bad-port', setting, { max: MAX_PORT, next: `write ${setting.written}=9464` });
  if (port === 0 || port !== dashboardPort) return port;
  throw badValue('metrics-port-taken', setting, {});
}

function planAuth(
  settings: Settings<'serve'>,
  host: string,
  inCluster: boolean,
): Pick<ServePlan, 'auth' | 'isOpenToOthers'> {
  const auth = settings.value('auth');
  const isPrivate = isLoopback(host);
  if (auth !== undefined) return { auth, isOpenToOthers: auth === 'none' && !isPrivate };
  if (isPrivate) return { auth: 'none', isOpenToOthers: false };
  throw usageFailure('auth-needed', { host, inCluster });
}

function planSessionKeyFile(
  settings: Settings<'serve'>,
  auth: Auth,
  folders: Pick<CliContext, 'homeDirectory' | 'workingDirectory'>,
): string | undefined {
  const path = settings.value('session-key-file');
  if (path === undefined) return undefined;
  if (auth === 'kubernetes') return expandPath(path, folders);
  const { written } = settings.first('session-key-file') ?? { written: '--session-key-file' };
  throw usageFailure('session-key-file-without-kubernetes', { written, auth });
}

function planAllowedHosts(settings: Settings<'serve'>): readonly string[] {
  const hosts = settings.value('allowed-host');
  const wrong = hosts.find((host) => parseHost(host) === undefined);
  if (wrong === undefined) return hosts;
  const { written } = settings.first('allowed-host') ?? { written: '--allowed-host' };
  throw badValue('bad-allowed-host', { value: wrong, written }, {});
}

function planBasePath(settings: Settings<'serve'>): string {
  const text = settings.value('base-path');
  if (text === undefined) return '';
  const path = text.replace(/(?<!\/)\/+$/, '');
  if (path === '' || /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/.test(path)) return path;
  const setting = settings.first('base-path') ?? { value: text, written: '--base-path' };
  throw badValue('bad-base-path', setting, {});
}
