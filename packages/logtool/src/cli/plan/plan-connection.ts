import type { Impersonation } from '@logtool/kube/src/connection/open-options.ts';
import { quoteWord } from '@logtool/kube/src/failure/subject-text.ts';
import { usageError } from '@logtool/kube/src/values/errors.ts';
import { parseDuration } from '../../domain/duration.ts';
import { expandPath } from '../config-file/locate.ts';
import type { CliContext } from '../context.ts';
import type { FlagUse } from '../flags/flag.ts';
import type { Settings } from './settings.ts';
import { badValue, readBoolean, readText } from './values.ts';

/** Which cluster is reached, and by what. */
export interface ConnectionPlan {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly inCluster: boolean;
  readonly impersonate: Impersonation | undefined;
  /** Sent in the place of the kubeconfig's credentials; never shown. */
  readonly bearer: string | undefined;
  /** How long a request may wait for its answer; undefined: the client's own limits. */
  readonly requestTimeoutMs: number | undefined;
  /** What was given on the command line, to be repeated by commands in messages: ` --kube-context prod`. */
  readonly flags: string;
  /** The same of the user to act as, which kubectl takes too: ` --as alice`. */
  readonly asFlags: string;
}

export function planConnection(
  settings: Settings,
  places: Pick<CliContext, 'homeDirectory' | 'workingDirectory'>,
): ConnectionPlan {
  const other = givenText(settings, 'kubeconfig') ?? givenText(settings, 'kube-context');
  // A variable that asks for the service account gives way to a flag that names a cluster.
  const inCluster =
    readBoolean(settings, 'in-cluster') &&
    (settings.given('in-cluster') !== undefined || other === undefined);
  if (inCluster && other !== undefined) {
    throw usageError({
      code: 'in-cluster-with-kubeconfig',
      what: `--in-cluster and ${other.written} exclude each other`,
      why: '--in-cluster uses the service account of the pod, not a kubeconfig',
      next: 'leave one of them out',
    });
  }
  const kubeconfig = readText(settings, 'kubeconfig', 'FILE');
  return {
    kubeconfig: kubeconfig === undefined ? undefined : expandPath(kubeconfig, places),
    context: settings.first('kube-context')?.value || undefined,
    inCluster,
    impersonate: planImpersonation(settings),
    bearer: readText(settings, 'token', 'TOKEN'),
    requestTimeoutMs: readRequestTimeout(settings),
    flags: flagsText(settings),
    asFlags: valuesText(settings, AS),
  };
}

function planImpersonation(settings: Settings): Impersonation | undefined {
  const user = readText(settings, 'as', 'NAME');
  const groups = settings.allGiven('as-group').map((use) => requiredText(use));
  const uid = readText(settings, 'as-uid', 'UID');
  if (user !== undefined) return { user, uid, groups };
  if (uid === undefined && groups.length === 0) return undefined;
  throw usageError({
    code: 'as-needed',
    what: `${groups.length > 0 ? '--as-group' : '--as-uid'} needs --as`,
    why: 'the cluster takes a group or a UID only together with a user to act as',
    next: 'add --as NAME',
  });
}

function requiredText(use: FlagUse): string {
  if (use.value?.trim()) return use.value;
  throw badValue('empty-value', use, 'the value is empty', `write ${use.written}=NAME`);
}

/** As kubectl: a length of time, whole seconds without a unit; 0 leaves the limits to the client. */
function readRequestTimeout(settings: Settings): number | undefined {
  const setting = settings.first('request-timeout');
  if (setting === undefined) return undefined;
  const text = setting.value ?? '';
  const parsed = parseDuration(/^\d+$/.test(text) ? `${text}s` : text);
  const ms = parsed.kind === 'duration' ? parsed.duration.seconds * 1000 + parsed.duration.nanos / 1e6 : -1;
  if (ms === 0) return undefined;
  if (ms >= 1 && ms <= MAX_TIMER_MS) return Math.ceil(ms);
  throw badValue(
    'bad-duration',
    setting,
    'it is not a length of time from 1 ms to 24 days',
    `write ${setting.written}=30s or =2m`,
  );
}

/** Longer ones end at once (https://nodejs.org/api/timers.html#settimeoutcallback-delay-args). */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Without the token: it must stand in no message. */
const AS = ['as', 'as-uid', 'as-group'];
const REPEATED = ['config', 'kubeconfig', 'kube-context', ...AS];

function valuesText(settings: Settings, names: readonly string[]): string {
  const values = names.flatMap((name) => {
    const uses = name === 'as-group' ? settings.allGiven(name) : settings.allGiven(name).slice(-1);
    return uses.map(({ value }) => (value ? ` --${name} ${quoteWord(value)}` : ''));
  });
  return values.join('');
}

function flagsText(settings: Settings): string {
  const own = settings.given('in-cluster');
  return valuesText(settings, REPEATED) + (own === undefined || own.value === 'false' ? '' : ' --in-cluster');
}

function givenText(settings: Settings, name: string): FlagUse | undefined {
  const use = settings.given(name);
  return use?.value === '' ? undefined : use;
}
