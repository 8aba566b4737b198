import { actionText } from '@logtool/helm/src/actions/record-end.ts';
import type { Kept } from '@logtool/helm/src/apply/kept.ts';
import { targetText } from '@logtool/helm/src/apply/target.ts';
import type {
  ChartRef,
  ConflictingRevision,
  HelmFailures,
  Inspection,
  KeptReason,
  Leftover,
  ReleaseRef,
  Remedy,
  StuckRelease,
} from '@logtool/helm/src/failures.ts';
import { whyText } from '../../../messages/problems.ts';
import { CHART_REPOSITORY } from '../../charts/chart-repository.ts';
import type { ComposedMessages, Message, MessageOfFailure } from '../message.ts';
import { marksText, ownerText } from './owners.ts';
import { numberText, recordText } from './records.ts';

/** Commands that change a release, and need `--any-chart` for a release of another chart than logtool's. */
const CHANGING = new Set(['upgrade', 'rollback', 'uninstall']);

/** Formats a logtool command on a release, for the user to type. */
export function command(verb: string, release: ReleaseRef, clusterFlags: string): string {
  const { name, namespace } = release;
  const anyChart = CHANGING.has(verb) && isOfOther(release) ? ' --any-chart' : '';
  return `logtool cluster ${verb} --name ${name} -n ${namespace}${anyChart}${clusterFlags}`;
}

export const isOfOther = ({ chart }: ReleaseRef) => chart !== undefined && chart !== CHART_REPOSITORY.chart;

/** Formats the upgrade command to type. Only the user knows the path of a chart other than logtool's own. */
export function upgradeCommand(release: ReleaseRef, clusterFlags: string): string {
  return `${command('upgrade', release, clusterFlags)}${isOfOther(release) ? ' --chart PATH' : ''}`;
}

function remedyText(remedy: Remedy, clusterFlags: string): string {
  switch (remedy.kind) {
    case 'rollback':
      return `${command('rollback', remedy.release, clusterFlags)} --revision ${remedy.revision}`;
    case 'uninstall':
      return command('uninstall', remedy.release, clusterFlags);
    case 'reinstall':
      return `${command('uninstall', remedy.release, clusterFlags)}, then install again`;
  }
}

/** Formats a command that shows more. */
export function inspectionText(inspection: Inspection): string {
  const where = inspection.namespace === undefined ? '' : ` -n ${inspection.namespace}`;
  switch (inspection.kind) {
    case 'describe':
      return `kubectl describe ${inspection.resource} ${inspection.name}${where}`;
    case 'list':
      return `kubectl get ${inspection.resource}${where}`;
    case 'logs':
      return `logtool logs pods/${inspection.pod}/${inspection.container}${where} --tail=50`;
  }
}

/** Finishes the sentence that names an object which stays. */
function keptReasonText(why: KeptReason): string {
  switch (why.by) {
    case 'policy':
      return 'as its resource policy says';
    case 'replaced':
      return 'because somebody replaced it while logtool was deleting it';
    case 'other-release':
      return `because it belongs to ${ownerText(why.owner)}`;
    case 'no-mark':
      return `because it does not name this release as its owner: ${marksText(why.marks)}`;
  }
}

/** Formats `ConfigMap "a" in namespace "b", as its resource policy says`. */
export function keptText({ target, why }: Kept): string {
  return `${targetText(target)}, ${keptReasonText(why)}`;
}

function leftoverText(left: Leftover): string {
  switch (left.kind) {
    case 'namespace':
      return `the namespace ${left.name}`;
    case 'definition':
      return left.object;
    case 'object':
      return `${left.object}, ${keptReasonText(left.why)}`;
  }
}

const chartText = ({ name, version }: ChartRef) => `${name}-${version}`;

/** Formats what failed and why, one per line. */
export function reasonText({ what, why }: Message): string {
  return why === undefined ? what : `${what}\n${why}`;
}

type Codes = Pick<
  HelmFailures,
  | 'chart-differs'
  | 'chart-older'
  | 'helm-driver'
  | 'namespace-name'
  | 'namespace-not-found'
  | 'no-good-revision'
  | 'other-chart'
  | 'release-exists'
  | 'release-in-progress'
  | 'release-interrupted'
  | 'release-name'
  | 'release-not-found'
  | 'release-not-taken-back'
  | 'release-taken-back'
  | 'release-too-large'
  | 'release-unreadable'
  | 'release-unrecorded'
  | 'releases-forbidden'
  | 'revision-not-found'
>;

export const RELEASE_MESSAGES: ComposedMessages<Codes> = {
  'chart-differs': ({ release, before, chart }) => ({
    what: `the release ${release} uses the chart ${before.name}, not ${chart.name}`,
    why: `without --chart, logtool would upgrade it to ${chartText(chart)}`,
    next: 'name its chart with --chart',
  }),
  'chart-older': ({ release, before, chart }) => ({
    what: `the release ${release} has a newer chart than any that logtool knows`,
    why: `it uses ${chartText(before)}, and this one is ${chartText(chart)}`,
    next: `bring the chart repository up to date (logtool cluster repo add, then logtool cluster repo update), or choose the older chart with --version ${chart.version}`,
  }),
  'helm-driver': ({ name }) => ({
    what: `HELM_DRIVER is ${JSON.stringify(name)}, which logtool cannot use`,
    why: 'logtool keeps releases in the cluster, in Secrets or ConfigMaps',
    next: 'unset HELM_DRIVER, or set it to secret or configmap',
  }),
  'namespace-name': ({ namespace }) => ({
    what: `${JSON.stringify(namespace)} cannot be the name of a namespace`,
    why: 'a name has at most 63 lower-case letters, digits and "-", and begins and ends with a letter or digit',
    next: 'choose another --namespace',
  }),
  'namespace-not-found': ({ namespace, target }) => ({
    what: `there is no namespace ${namespace}${target === undefined ? '' : ` for ${target}`}`,
    next: `create it with: kubectl create namespace ${namespace}; or ${target === undefined ? 'leave out --no-create-namespace' : 'change where the chart puts its objects'}`,
  }),
  'no-good-revision': ({ release, failure }, messageOf, clusterFlags) => ({
    what: `the upgrade of ${release.name} failed, and no earlier revision succeeded: it stays as it is (--atomic)`,
    why: reasonText(messageOf(failure)),
    next: `fix what failed and upgrade again; or uninstall the release with: ${command('uninstall', release, clusterFlags)}`,
  }),
  'other-chart': ({ verb, release: { name, namespace }, chart, only }) => ({
    what: `the release ${name} in the namespace ${namespace} uses the chart ${chartText(chart)}, not ${only}`,
    why: `without --any-chart, ${verb} changes only releases of ${only}; logtool changed nothing`,
    next: `to ${verb} it anyway, add --any-chart to the same command`,
  }),
  'release-exists': (data, _messageOf, clusterFlags) => stuckMessage(data, clusterFlags),
  'release-in-progress': (data, _messageOf, clusterFlags) =>
    data.of === 'state' ? stuckMessage(data, clusterFlags) : conflictMessage(data, clusterFlags),
  'release-interrupted': (data, _messageOf, clusterFlags) => ({
    what: `${actionText(data.action)} was interrupted`,
    why:
      data.stage === 'recorded'
        ? `logtool recorded revision ${data.revision} as failed, with every change made so far`
        : 'logtool has removed its objects, but its record still exists',
    next: `continue with: ${remedyText(data.remedy, clusterFlags)}`,
  }),
  'release-name': ({ name }) => ({
    what: `${JSON.stringify(name)} cannot be the name of a release`,
    why: 'a name has at most 53 lower-case letters, digits, "-" and ".", and begins and ends with a letter or digit',
    next: 'choose another --name',
  }),
  'release-not-found': ({ release, canInstall }, _messageOf, clusterFlags) => {
    const list = `logtool cluster list --all${clusterFlags}`;
    const see = `to see what is installed: ${list}`;
    return {
      what: `release ${release.name} does not exist in namespace ${release.namespace}`,
      next: canInstall ? `create it with: ${command('install', release, clusterFlags)}; ${see}` : see,
    };
  },
  'release-not-taken-back': ({ action, failure, second, remedy }, messageOf, clusterFlags) => ({
    what: `${actionText(action)} failed, and undoing it (--atomic) failed too`,
    why: `${reasonText(messageOf(failure))}\nthen: ${reasonText(messageOf(second))}`,
    next: `once you have fixed the cause: ${remedyText(remedy, clusterFlags)}`,
  }),
  'release-taken-back': takenBackMessage,
  'release-too-large': ({ release, bytes, limitBytes, largest }) => ({
    what: `the release ${release} is too large for the cluster; logtool changed nothing`,
    why: `its record takes ${numberText(bytes)} bytes; an object of the cluster holds at most ${numberText(limitBytes)}`,
    next:
      largest === undefined
        ? 'make the chart smaller'
        : `exclude files of the chart with .helmignore; the largest is ${largest.name} with ${numberText(largest.bytes)} bytes`,
  }),
  'release-unreadable': ({ type, name, namespace, record }) => ({
    what: `the ${type} ${name} in the namespace ${namespace} does not contain a readable release`,
    why: recordText(record),
    next: `inspect it with: kubectl get ${type} ${name} -n ${namespace} -o yaml`,
  }),
  'release-unrecorded': ({ action, status, failure, unrecorded, remedy, once }, messageOf, clusterFlags) => {
    const reason = failure === undefined ? 'interrupted' : reasonText(messageOf(failure));
    return {
      what: `${actionText(action)} failed, and logtool could not record that: the release may still say ${status}`,
      why: [...new Set([reason, reasonText(messageOf(unrecorded))])].join('\n'),
      next: `${ONCE[once]}: ${remedyText(remedy, clusterFlags)}`,
    };
  },
  'releases-forbidden': ({ driver, why, namespace }, _messageOf, clusterFlags) => ({
    what: `you lack permission to list ${driver}s in all namespaces`,
    why: whyText(why),
    next: `name a namespace whose releases you can list: logtool cluster list -n ${namespace}${clusterFlags}`,
  }),
  'revision-not-found': ({ release, wanted, known }, _messageOf, clusterFlags) => ({
    what: `the release ${release.name} has no revision ${wanted > 0 ? wanted : 'before its first'}`,
    why: `its history has ${known.join(', ')}`,
    next: `see its revisions with: ${command('history', release, clusterFlags)}`,
  }),
};

const ONCE = {
  'signed-in': 'log in again, then',
  fixed: 'once you have fixed the cause',
  answers: 'once the cluster answers again',
} as const;

/** Describes the state of a release, and the command that continues from there, for a command that cannot. */
function stuckMessage(stuck: StuckRelease, clusterFlags: string): Message {
  const { release, chart, revision, status, description, ageMs, verb } = stuck;
  const { name, namespace } = release;
  if (status === 'deployed') {
    return {
      what: `the release ${name} already exists in the namespace ${namespace}`,
      why: `its revision ${revision}, of the chart ${chartText(chart)}, is deployed`,
      next: nextText(stuck, clusterFlags),
    };
  }
  const state = `revision ${revision}${ageMs === undefined ? '' : `, begun ${age(ageMs)} ago`}`;
  return {
    what: `logtool cannot ${verb} the release ${name} in the namespace ${namespace} now: it ${status === 'failed' ? 'has failed' : `is ${status}`}`,
    why: description === '' ? state : `${state}: ${description}`,
    next: nextText(stuck, clusterFlags),
  };
}

function nextText({ release, status, back }: StuckRelease, clusterFlags: string): string {
  const reinstall = remedyText({ kind: 'reinstall', release }, clusterFlags);
  const backText = back && remedyText(back, clusterFlags);
  switch (status) {
    case 'deployed':
      return `change it with: ${upgradeCommand(release, clusterFlags)}; or choose another --name`;
    case 'failed':
      return `try again with: ${upgradeCommand(release, clusterFlags)}; or remove it with: ${command('uninstall', release, clusterFlags)}`;
    case 'uninstalled':
      return `remove the rest of it with: ${reinstall}`;
    case 'uninstalling':
      return `finish it with: ${command('uninstall', release, clusterFlags)}`;
    case 'pending-install':
      return `wait if somebody is installing it right now; if that was interrupted: ${reinstall}`;
    case 'pending-upgrade':
      return `wait if somebody is upgrading it right now; if that was interrupted: ${backText}`;
    case 'pending-rollback':
      return `wait if somebody is rolling it back right now; if that was interrupted: ${backText}`;
    case 'superseded':
    case 'unknown':
      return `inspect it with: ${command('status', release, clusterFlags)}`;
  }
}

function conflictMessage({ release, revision }: ConflictingRevision, clusterFlags: string): Message {
  return {
    what: `another operation made revision ${revision} of the release ${release.name} at the same time`,
    why: 'two installs, upgrades or rollbacks ran at once, and the other was first; this one changed nothing',
    next: `wait for it to end, then see its result with: ${command('history', release, clusterFlags)}`,
  };
}

/** Failures whose advice is to inspect objects that no longer exist. */
const OF_OBJECTS = new Set(['wait-failed', 'wait-timeout', 'hook-failed']);

function takenBackMessage(
  { action, failure, revision, left }: HelmFailures['release-taken-back'],
  messageOf: MessageOfFailure,
): Message {
  const message = messageOf(failure);
  const stays = left.map((one) => `\nleft in the cluster: ${leftoverText(one)}`).join('');
  const again = action.kind === 'installation' ? 'install' : 'upgrade';
  const isOfObjects = 'code' in failure && OF_OBJECTS.has(String(failure.code));
  const outcome =
    revision === undefined
      ? `logtool removed ${left.length === 0 ? 'everything that it had created' : 'its other objects'}`
      : `revision ${revision.made} restores revision ${revision.like}`;
  return {
    what: `${actionText(action)} failed; ${outcome} (--atomic)`,
    why: `${reasonText(message)}${stays}`,
    next:
      (isOfObjects ? undefined : message.next) ??
      `fix what failed and ${again} again; without --atomic the release stays, so that you can inspect it`,
  };
}

function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
