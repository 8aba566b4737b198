import { isIP } from 'node:net';
import { usageError } from '@logtool/kube/src/values/errors.ts';
import type { ColumnName } from '../../domain/columns.ts';
import { findNameFault } from '../../domain/names.ts';
import { isLoopback, parseHost } from '../../server/security/allowed-hosts.ts';
import { expandPath } from '../config-file/locate.ts';
import type { CliContext } from '../context.ts';
import type { RawArguments } from '../flags/flag.ts';
import { AUTH_KINDS, LOG_LEVELS } from '../flags/table.ts';
import { planDashboardColumns } from './columns.ts';
import { type ConnectionPlan, planConnection } from './connection.ts';
import { loadSettings } from './load-settings.ts';
import type { Settings } from './settings.ts';
import { badValue, readBoolean, readChoice, readCount, readList, readText } from './values.ts';

export type LogLevel = (typeof LOG_LEVELS)[number];
export type Auth = (typeof AUTH_KINDS)[number];

export const DEFAULT_PORT = 7500;

/** What `serve` was asked for, checked and complete. */
export interface ServePlan {
  readonly host: string;
  readonly port: number;
  /** The port is the default one: the next free one will do. */
  readonly mayMove: boolean;
  /** Undefined: no metrics. */
  readonly metricsPort: number | undefined;
  readonly logLevel: LogLevel;
  readonly skipOpen: boolean;
  readonly auth: Auth;
  /** Others can reach the server, and everyone who does is let in. */
  readonly isOpenToOthers: boolean;
  /** Undefined: sessions end with the process. */
  readonly sessionKeyFile: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedNamespaces: readonly string[];
  /** '' or `/logs`: without a slash at the end. */
  readonly basePath: string;
  readonly columns: readonly ColumnName[];
  readonly connection: ConnectionPlan;
}

export async function planServe(
  context: Pick<CliContext, 'env' | 'files' | 'homeDirectory' | 'workingDirectory'>,
  raw: RawArguments,
): Promise<ServePlan> {
  const settings = await loadSettings(context, raw);
  const host = planHost(settings);
  const connection = planConnection(settings, context);
  const level = settings.first('log-level');
  const auth = planAuth(settings, host, connection.inCluster);
  const port = planPort(settings);
  return {
    host,
    ...port,
    metricsPort: planMetricsPort(settings, port.port),
    logLevel: level === undefined ? levelOf(settings) : readChoice(level, LOG_LEVELS),
    skipOpen: readBoolean(settings, 'skip-open'),
    ...auth,
    sessionKeyFile: planSessionKeyFile(settings, auth.auth, context),
    allowedHosts: planAllowedHosts(settings),
    allowedNamespaces: planAllowedNamespaces(settings),
    basePath: planBasePath(settings),
    columns: planDashboardColumns(settings),
    connection,
  };
}

/** --debug asks for the requests that are made: the log has them. */
function levelOf(settings: Settings): LogLevel {
  return readBoolean(settings, 'debug') ? 'debug' : 'info';
}

function planHost(settings: Settings): string {
  const text = readText(settings, 'host', 'localhost') ?? 'localhost';
  const host = text.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 || (!host.includes(':') && parseHost(host) !== undefined)) return host;
  const setting = settings.first('host') ?? { value: text, written: '--host' };
  throw badValue('bad-host', setting, 'it is no host name and no address', 'write --host=localhost');
}

/** The port, and whether it was left to the program. */
export function planPort(settings: Settings): { readonly port: number; readonly mayMove: boolean } {
  const setting = settings.first('port');
  if (setting === undefined) return { port: DEFAULT_PORT, mayMove: true };
  const port = readCount(setting, 8080);
  // A file that `config init` wrote holds the default as well: that is nobody's choice.
  const isStored = setting.written === settings.stored('commands.serve.port')?.written;
  if (port <= 65_535) return { port, mayMove: isStored && port === DEFAULT_PORT };
  throw badValue('bad-port', setting, 'ports end with 65535', 'write --port=8080, or --port=0 for any');
}

function planMetricsPort(settings: Settings, dashboardPort: number): number | undefined {
  const setting = settings.first('metrics-port');
  if (setting === undefined) return undefined;
  const port = readCount(setting);
  if (port > 65_535)
    throw badValue('bad-port', setting, 'the highest port is 65535', `write ${setting.written}=9464`);
  if (port === 0 || port !== dashboardPort) return port;
  throw badValue(
    'metrics-port-taken',
    setting,
    'the dashboard listens on that port',
    `write ${setting.written}=9464`,
  );
}

function planAuth(
  settings: Settings,
  host: string,
  inCluster: boolean,
): Pick<ServePlan, 'auth' | 'isOpenToOthers'> {
  const setting = settings.first('auth');
  const isPrivate = isLoopback(host);
  if (setting !== undefined) {
    const auth = readChoice(setting, AUTH_KINDS);
    return { auth, isOpenToOthers: auth === 'none' && !isPrivate };
  }
  if (isPrivate) return { auth: 'none', isOpenToOthers: false };
  throw usageError({
    code: 'auth-needed',
    what: `the dashboard does not listen on ${host} without --auth`,
    why: 'everyone who reaches it could read all logs that your credentials can',
    next: `give --auth ${inCluster ? 'kubernetes' : 'token'}; or --auth none, if all who reach it may read them`,
  });
}

function planSessionKeyFile(
  settings: Settings,
  auth: Auth,
  places: Pick<CliContext, 'homeDirectory' | 'workingDirectory'>,
): string | undefined {
  const path = readText(settings, 'session-key-file', 'FILE');
  if (path === undefined) return undefined;
  if (auth === 'kubernetes') return expandPath(path, places);
  const { written } = settings.first('session-key-file') ?? { written: '--session-key-file' };
  throw usageError({
    code: 'session-key-file-without-kubernetes',
    what: `${written} has no effect with --auth ${auth}`,
    why: 'only the sessions of --auth kubernetes are sealed with keys',
    next: `add --auth kubernetes, or drop ${written}`,
  });
}

function planAllowedHosts(settings: Settings): readonly string[] {
  const hosts = readList(settings, 'allowed-host');
  const wrong = hosts.find((host) => parseHost(host) === undefined);
  if (wrong === undefined) return hosts;
  const { written } = settings.first('allowed-host') ?? { written: '--allowed-host' };
  throw badValue(
    'bad-allowed-host',
    { value: wrong, written },
    'it is no host name, with a port or without',
    'write --allowed-host=logs.example.com or --allowed-host=logs.example.com:8443',
  );
}

function planAllowedNamespaces(settings: Settings): readonly string[] {
  const names = readList(settings, 'allowed-namespaces');
  for (const name of names) {
    const fault = findNameFault(name, 'label');
    if (fault === undefined) continue;
    const { written } = settings.first('allowed-namespaces') ?? { written: '--allowed-namespaces' };
    throw badValue('bad-namespace', { value: name, written }, fault.why, `write ${written}=shop,web`);
  }
  return names;
}

function planBasePath(settings: Settings): string {
  const text = readText(settings, 'base-path', '/logs');
  if (text === undefined) return '';
  const path = text.replace(/(?<!\/)\/+$/, '');
  if (path === '' || /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/.test(path)) return path;
  const setting = settings.first('base-path') ?? { value: text, written: '--base-path' };
  throw badValue(
    'bad-base-path',
    setting,
    'it is no path of letters, digits, and - . _ ~, which begins with a slash',
    'write --base-path=/logs',
  );
}
