import type { Impersonation } from '@logtool/kube/src/connection/open-options.ts';
import { quoteArgument } from '@logtool/kube/src/values/quote-argument.ts';
import { parseDuration } from '../../domain/duration.ts';
import { expandPath } from '../config-file/locate.ts';
import type { CliContext } from '../context.ts';
import type { FlagUse } from '../flags/flag.ts';
import { badValue, usageFailure } from '../messages/errors.ts';
import type { Settings } from '../settings/settings.ts';
import type { ClusterCommand } from './cluster/cluster-plans.ts';
import type { ConnectionPlan } from './connection-plan.ts';

/** The commands that connect to a cluster. */
type Connecting = 'logs' | 'events' | 'why' | 'serve' | 'mcp' | 'agent' | 'api' | ClusterCommand;

export function planConnection(
  settings: Settings<Connecting>,
  folders: Pick<CliContext, 'homeDirectory' | 'workingDirectory'>,
): ConnectionPlan {
  const other = givenText(settings, 'kubeconfig') ?? givenText(settings, 'kube-context');
  // A flag that names a cluster overrides a variable that asks for the service account.
  const inCluster =
    settings.value('in-cluster') && (settings.given('in-cluster') !== undefined || other === undefined);
  if (inCluster && other !== undefined) {
    throw usageFailure('in-cluster-with-kubeconfig', { written: other.written });
  }
  const kubeconfig = settings.value('kubeconfig');
  return {
    kubeconfig: kubeconfig === undefined ? undefined : expandPath(kubeconfig, folders),
    context: settings.first('kube-context')?.value || undefined,
    inCluster,
    impersonate: planImpersonation(settings),
    bearer: settings.value('token'),
    requestTimeoutMs: readRequestTimeout(settings),
    flags: flagsText(settings),
    asFlags: valuesText(settings, AS),
  };
}

function planImpersonation(settings: Settings<Connecting>): Impersonation | undefined {
  const user = settings.value('as');
  const groups = settings.allGiven('as-group').map((use) => requiredText(use));
  const uid = settings.value('as-uid');
  if (user !== undefined) return { user, uid, groups };
  if (uid === undefined && groups.length === 0) return undefined;
  throw usageFailure('as-needed', { written: groups.length > 0 ? '--as-group' : '--as-uid' });
}

function requiredText(use: FlagUse): string {
  if (use.value?.trim()) return use.value;
  throw badValue('empty-value', use, { example: 'NAME' });
}

/** Like kubectl, reads a duration, or whole seconds without a unit; 0 keeps the client's limits. */
function readRequestTimeout(settings: Settings<Connecting>): number | undefined {
  const setting = settings.first('request-timeout');
  if (setting === undefined) return undefined;
  const text = setting.value ?? '';
  const parsed = parseDuration(/^\d+$/.test(text) ? `${text}s` : text);
  const ms = parsed.kind === 'duration' ? parsed.duration.seconds * 1000 + parsed.duration.nanos / 1e6 : -1;
  if (ms === 0) return undefined;
  if (ms >= 1 && ms <= MAX_TIMER_MS) return Math.ceil(ms);
  throw badValue('bad-duration', setting, { limits: 'from 1 ms to 24 days', examples: ['30s', '2m'] });
}

/** Longer timers fire at once (https://nodejs.org/api/timers.html#settimeoutcallback-delay-args). */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Without the token, which must not appear in a message. */
const AS = ['as', 'as-uid', 'as-group'] as const;
const REPEATED = ['config', 'kubeconfig', 'kube-context', ...AS] as const;
type ConnectionFlag = (typeof REPEATED)[number];

function valuesText(settings: Settings<Connecting>, names: readonly ConnectionFlag[]): string {
  const values = names.flatMap((name) => {
    const uses = name === 'as-group' ? settings.allGiven(name) : settings.allGiven(name).slice(-1);
    return uses.map(({ value }) => (value ? ` --${name} ${quoteArgument(value)}` : ''));
  });
  return values.join('');
}

function flagsText(settings: Settings<Connecting>): string {
  const own = settings.given('in-cluster');
  return valuesText(settings, REPEATED) + (own === undefined || own.value === 'false' ? '' : ' --in-cluster');
}

function givenText(settings: Settings<Connecting>, name: ConnectionFlag): FlagUse | undefined {
  const use = settings.given(name);
  return use?.value === '' ? undefined : use;
}
