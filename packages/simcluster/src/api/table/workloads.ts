import { humanDuration, since } from './duration.ts';
import { array, at, fields, labelText, number, orNone, selectorText, text } from './read.ts';

function name(object: unknown): string {
  return text(at(object, 'metadata', 'name'));
}

function age(object: unknown, nowMs: number): string {
  return since(at(object, 'metadata', 'creationTimestamp'), nowMs);
}

/** Returns the names and images of a pod template's containers. */
function containers(template: unknown): readonly [string, string] {
  const list = array(at(template, 'spec', 'containers'));
  return [list.map((c) => text(c.name)).join(','), list.map((c) => text(c.image)).join(',')];
}

export function deploymentCells(object: unknown, nowMs: number): readonly unknown[] {
  const status = fields(at(object, 'status'));
  return [
    name(object),
    `${number(status.readyReplicas)}/${number(at(object, 'spec', 'replicas'))}`,
    number(status.updatedReplicas),
    number(status.availableReplicas),
    age(object, nowMs),
    ...containers(at(object, 'spec', 'template')),
    selectorText(at(object, 'spec', 'selector')),
  ];
}

export function replicaSetCells(object: unknown, nowMs: number): readonly unknown[] {
  return [
    name(object),
    number(at(object, 'spec', 'replicas')),
    number(at(object, 'status', 'replicas')),
    number(at(object, 'status', 'readyReplicas')),
    age(object, nowMs),
    ...containers(at(object, 'spec', 'template')),
    selectorText(at(object, 'spec', 'selector')),
  ];
}

export function replicationControllerCells(object: unknown, nowMs: number): readonly unknown[] {
  const cells = replicaSetCells(object, nowMs);
  return [...cells.slice(0, -1), orNone(labelText(at(object, 'spec', 'selector')))];
}

export function statefulSetCells(object: unknown, nowMs: number): readonly unknown[] {
  const ready = number(at(object, 'status', 'readyReplicas'));
  return [
    name(object),
    `${ready}/${number(at(object, 'spec', 'replicas'))}`,
    age(object, nowMs),
    ...containers(at(object, 'spec', 'template')),
  ];
}

export function daemonSetCells(object: unknown, nowMs: number): readonly unknown[] {
  const status = fields(at(object, 'status'));
  return [
    name(object),
    number(status.desiredNumberScheduled),
    number(status.currentNumberScheduled),
    number(status.numberReady),
    number(status.updatedNumberScheduled),
    number(status.numberAvailable),
    orNone(labelText(at(object, 'spec', 'template', 'spec', 'nodeSelector'))),
    age(object, nowMs),
    ...containers(at(object, 'spec', 'template')),
    selectorText(at(object, 'spec', 'selector')),
  ];
}

export function jobCells(object: unknown, nowMs: number): readonly unknown[] {
  const spec = fields(at(object, 'spec'));
  const status = fields(at(object, 'status'));
  const succeeded = number(status.succeeded);
  let completions: string;
  if (typeof spec.completions === 'number') completions = `${succeeded}/${spec.completions}`;
  else if (number(spec.parallelism) > 1) completions = `${succeeded}/1 of ${number(spec.parallelism)}`;
  else completions = `${succeeded}/1`;
  return [
    name(object),
    jobStatus(object),
    completions,
    jobDuration(text(status.startTime), text(status.completionTime), nowMs),
    age(object, nowMs),
    ...containers(spec.template),
    selectorText(spec.selector),
  ];
}

function jobStatus(job: unknown): string {
  const has = (type: string) =>
    array(at(job, 'status', 'conditions')).some((c) => c.type === type && c.status === 'True');
  if (has('Complete')) return 'Complete';
  if (has('Failed')) return 'Failed';
  if (at(job, 'metadata', 'deletionTimestamp') !== undefined) return 'Terminating';
  if (has('Suspended')) return 'Suspended';
  if (has('FailureTarget')) return 'FailureTarget';
  return has('SuccessCriteriaMet') ? 'SuccessCriteriaMet' : 'Running';
}

function jobDuration(start: string, end: string, nowMs: number): string {
  const from = Date.parse(start);
  if (Number.isNaN(from)) return '';
  const to = Date.parse(end);
  return humanDuration((Number.isNaN(to) ? nowMs : to) - from);
}

export function cronJobCells(object: unknown, nowMs: number): readonly unknown[] {
  const spec = fields(at(object, 'spec'));
  const last = at(object, 'status', 'lastScheduleTime');
  return [
    name(object),
    text(spec.schedule),
    orNone(text(spec.timeZone)),
    spec.suspend === true ? 'True' : 'False',
    array(at(object, 'status', 'active')).length,
    last === undefined ? '<none>' : since(last, nowMs),
    age(object, nowMs),
    ...containers(at(spec.jobTemplate, 'spec', 'template')),
    selectorText(at(spec.jobTemplate, 'spec', 'selector')),
  ];
}
