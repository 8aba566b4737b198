import { KubeError } from '@logtool/kube/src/errors.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { ContainerTarget } from '../../../domain/container.ts';
import { subjectText } from '../../../messages/kube-causes.ts';
import { namesText } from '../../../messages/lists.ts';
import { LogtoolError } from '../../messages/logtool-error.ts';
import { targetText } from '../../messages/target-text.ts';
import { Batch } from './batch.ts';

/** Containers that fail for one cause fail within this time, one after the other. */
const FAILURES_MS = { togetherMs: 1_000, maxMs: 3_000 };
const MAX_NAMED = 3;

export interface Failure {
  readonly error: LogtoolError;
  readonly target: ContainerTarget;
}

/**
 * Merges failures of containers: those of one cause become one error that counts the containers and names a
 * few. Holds each for a moment to wait for others.
 */
export function newFailures(clock: Clock, report: (error: LogtoolError) => Promise<void>): Batch<Failure> {
  return new Batch(clock, FAILURES_MS, causeOf, (failures) => report(together(failures)));
}

/** The words in a message that describe the container, not the cause. */
const NAMED_FIELDS = [
  ['UID', (target) => target.podUid],
  ['POD', (target) => target.pod],
  ['NODE', (target) => target.placement.node ?? ''],
  ['CONTAINER', (target) => target.container],
  ['NAMESPACE', (target) => target.namespace],
] as const satisfies readonly (readonly [string, (target: ContainerTarget) => string])[];

/** IDs of containers and pods, and the log file of a run. */
const IDS = /\b[0-9a-f]{12,}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|(?<=\/)\d+(?=\.log\b)/g;

/** Kubernetes names, separate or in a path. */
const NAMES = /[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*/g;

/** Replaces the container's names in a text with their field labels. */
function without(
  text: string,
  target: ContainerTarget,
  fields: readonly (typeof NAMED_FIELDS)[number][],
): string {
  const labels = new Map(fields.map(([label, nameOf]) => [nameOf(target), label]));
  return text.replace(NAMES, (name) => labels.get(name) ?? name);
}

/** Returns a key that is the same for all failures of one cause. */
function causeOf({ error, target }: Failure): string {
  const texts = [error.what, error.why ?? '', error.next ?? ''];
  return [error.code, ...texts.map((text) => without(text, target, NAMED_FIELDS).replace(IDS, 'ID'))].join(
    '\n',
  );
}

function together(failures: readonly [Failure, ...Failure[]]): LogtoolError {
  const [{ error, target }] = failures;
  const names = [...new Set(failures.map((failure) => targetText(failure.target)))];
  if (names.length === 1) return error;
  // The label replaces a name that differs.
  const differing = NAMED_FIELDS.filter(
    ([, nameOf]) => new Set(failures.map((each) => nameOf(each.target))).size > 1,
  );
  const common = (textOf: (error: LogtoolError) => string | undefined) => {
    const text = textOf(error);
    const isSame = failures.every((each) => textOf(each.error) === text);
    return text === undefined || isSame ? text : without(text, target, differing).replace(IDS, 'ID');
  };
  return new LogtoolError({
    code: error.code,
    what: whatOf(error, common(({ what }) => what) ?? '', names),
    why: common(({ why }) => why)?.replace(/^it is waiting\b/, 'they are waiting'),
    next: common(({ next }) => next),
    exit: error.exit,
    cause: error,
  });
}

function whatOf({ code, what, cause }: LogtoolError, common: string, names: readonly string[]): string {
  const shortList = namesText(names, MAX_NAMED);
  if (code === 'container-waiting') return `${names.length} containers have not started: ${shortList}`;
  const origin = cause instanceof CodedError ? cause.cause : cause;
  const subject = origin instanceof KubeError ? subjectText(origin.request) : undefined;
  if (subject !== undefined && what.includes(subject))
    return `${what.replace(subject, () => `the logs of ${names.length} containers`)}: ${shortList}`;
  return `${common} (${names.length} containers: ${shortList})`;
}
