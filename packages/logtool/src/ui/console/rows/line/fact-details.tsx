import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact, FactKinds } from '../../../../domain/facts/fact.ts';
import { deleterText, lengthText } from '../../../../messages/facts.ts';
import { legibleText } from '../../../ansi/plain-text.ts';
import { imageChangeText } from '../../../messages/facts.ts';
import { isoTime, type ZoneClock } from '../../state/zone-time.ts';
import './line-details.css';

type Field = readonly [name: string, value: string | undefined];

/** Everything that the cluster reports about a fact. */
export function FactDetails({ fact, clock }: { readonly fact: Fact; readonly clock: ZoneClock }) {
  return (
    <div className="line-details">
      {fact.message === '' ? null : <pre className="whole-text">{legibleText(fact.message)}</pre>}
      <dl className="line-facts" aria-label="The event">
        {fieldsOf(fact, clock).map(([name, value]) =>
          value === undefined || value === '' ? null : (
            <Field key={name} name={name} value={legibleText(value)} />
          ),
        )}
      </dl>
    </div>
  );
}

function Field({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

function fieldsOf(fact: Fact, clock: ZoneClock): readonly Field[] {
  const { at, until, since, precision, bound, kind, subject, reason, severity, count, source } = fact;
  const time = (of: Timestamp | undefined) => of && timeText(of, precision, clock);
  return [
    ['Time', bound === undefined ? time(at) : `${time(at)} or later`],
    ['Last time', time(until)],
    ['Counted since', time(since)],
    ['What', kind],
    ['Reason', reason],
    ['Severity', severity],
    ['Count', count === 1 ? undefined : String(count)],
    [subject.kind, subject.namespace === '' ? subject.name : `${subject.namespace}/${subject.name}`],
    ['Container', subject.container],
    ['Run', subject.run],
    ...dataFields(fact),
    ['Read from', SOURCES[source]],
  ];
}

/** Formats a time, without a fraction if the cluster only gives whole seconds. */
function timeText(time: Timestamp, precision: Fact['precision'], clock: ZoneClock): string {
  const text = isoTime(clock, time);
  return precision === 's' ? text.replace(/\.\d+/, '') : text;
}

const SOURCES: { readonly [S in Fact['source']]: string } = {
  pod: 'the status of the pod',
  event: 'an Event of the cluster',
  workload: 'the workload and its revisions',
  node: 'the status of the node',
};

/** The fields that only facts of this kind have. */
function dataFields(fact: Fact): readonly Field[] {
  switch (fact.kind) {
    case 'exited':
      return exitFields(fact.data);
    case 'started':
    case 'restarted':
    case 'waiting':
      return [
        ['Image', fact.data.image],
        ['Restarts', String(fact.data.restarts)],
      ];
    case 'rollout':
      return [
        ['Revision', String(fact.data.revision)],
        ['Images', imageChangeText(fact.data.images)],
        ['Replicas', fact.data.replicas?.toString()],
      ];
    case 'paused':
      return [
        ['Updated pods', fact.data.updated?.toString()],
        ['Pods', fact.data.replicas?.toString()],
        ['Active Jobs', fact.data.active?.toString()],
      ];
    case 'workload-condition':
    case 'node-condition':
      return [['Condition', `${fact.data.type}=${fact.data.status}`]];
    case 'node-taint':
      return [['Taint', `${fact.data.key}:${fact.data.effect}`]];
    case 'node-rebooted':
      return [['Boot', fact.data.bootId]];
    case 'node-clock':
      return [];
    case 'event':
      return [
        ['Type', fact.data.type],
        ['Reported by', fact.data.controller],
      ];
    case 'deleted':
      return [
        ['Requested by', fact.data.by && deleterText(fact.data.by)],
        ['Grace period', fact.data.graceSeconds === undefined ? undefined : `${fact.data.graceSeconds} s`],
      ];
    case 'scheduled':
    case 'evicted':
    case 'preempted':
    case 'failed':
      return [['Node', fact.data.node]];
    case 'ready':
    case 'not-ready':
    case 'unschedulable':
      return [];
  }
}

function exitFields(data: FactKinds['exited']): readonly Field[] {
  const { exitCode, signal, memoryLimit, lastedMs, restarts, isInit, wasDeleted } = data;
  return [
    ['Exit code', String(exitCode)],
    ['Signal', signal?.toString()],
    ['Memory limit', memoryLimit],
    ['Ran for', lastedMs === undefined ? undefined : lengthText(lastedMs)],
    ['Restarts before', String(restarts)],
    ['Init container', isInit ? 'yes' : undefined],
    ['Deleted', wasDeleted ? 'the pod was terminating' : undefined],
  ];
}
