import type { Coded } from '@logtool/kube/src/values/coded-error.ts';
import type { ResolveFailures, UsedFilter } from '../../domain/resolve-failures.ts';
import { meantText } from '../../messages/lists.ts';
import {
  absentObjectFact,
  filteredFact,
  isOneCluster,
  kindAdvice,
  noneOfKindFact,
  noPodsFact,
  SAME_MESSAGES,
} from '../../messages/resolve.ts';
import { selectorFaultText } from '../../messages/sources.ts';
import type { Message, Messages } from './message.ts';

/** `messageOf`: the message of a failure inside another one. */
export function resolveMessages(messageOf: (failure: Coded) => Message): Messages<ResolveFailures> {
  return {
    ...SAME_MESSAGES,
    'nodes-forbidden': ({ fields, refusal }) => {
      const { what, why, next } = messageOf(refusal);
      return {
        what: `${fields.map((field) => `--${field}`).join(', ')} cannot be applied: ${what}`,
        why,
        next: `${next}; --node works without that right`,
      };
    },
    'no-pods': (data) => ({ ...noPodsFact(data), next: noPodsAdvice(data) }),
    'none-of-kind': (data) => ({
      ...noneOfKindFact(data),
      next: isOneCluster(data)
        ? `kubectl get ${data.kinds}${data.isNamespaced ? ' -A' : ''} lists those that exist`
        : 'check the namespace with -n, or search all of them with *:',
    }),
    'filter-leaves-none': (data) => ({ ...filteredFact(data, flagText), next: filterAdvice(data) }),
    'source-not-found': (data) => ({
      ...absentObjectFact(data),
      next:
        meantText(data.near) ??
        (data.containerOf === undefined
          ? 'check the name, and the namespace with -n'
          : `for container ${data.name} of ${data.containerOf}: --container ${data.name}; else check the name, and the namespace with -n`),
    }),
    'unknown-kind': unknownKindMessage,
    'no-source': () => ({
      what: 'no log source was given',
      next: 'name a pod or a workload, e.g. logtool logs deployments/web, or select pods with -l app=web; see: logtool logs --help',
    }),
    'bad-selector': (data) => ({
      what: '--selector is not a label selector',
      why: selectorFaultText(data),
      next: 'write conditions with commas between, e.g. -l app=web,tier!=db',
    }),
  };
}

function unknownKindMessage(data: ResolveFailures['unknown-kind']): Message {
  const next = kindAdvice(data);
  switch (data.reason) {
    case 'absent':
      return {
        what: `the cluster has no kind "${data.kind}"`,
        why: `the part of "${data.argument}" before the first slash is a kind`,
        next,
      };
    case 'not-shown':
      return {
        what: `this server shows no kind "${data.kind}"`,
        why: `it was started with --allowed-namespaces ${data.namespaces.join(',')}, which leaves only kinds inside a namespace`,
        next,
      };
  }
}

const FLAGS: Readonly<Record<Exclude<UsedFilter['filter'], 'excluded-kinds'>, string>> = {
  node: '--node',
  region: '--region',
  zone: '--zone',
  os: '--os',
  arch: '--arch',
  'excluded-pods': '--exclude-pod',
  containers: '--container',
  'excluded-containers': '--exclude-container',
  states: '--container-state',
};

/** A filter as it is typed. */
export function flagText({ filter, values }: UsedFilter): string {
  return filter === 'excluded-kinds'
    ? values.map((kind) => `--no-${kind}-containers`).join(' ')
    : `${FLAGS[filter]} ${values.join(',')}`;
}

function noPodsAdvice(data: ResolveFailures['no-pods']): string {
  switch (data.reason) {
    case 'undisclosed':
      return 'check the name and the namespace';
    case 'no-match':
      return 'check the namespace with -n, and what there is with: kubectl get pods --show-labels';
    case 'owns-none':
      return data.node === undefined
        ? 'logs go with their pods; -f waits for new ones'
        : `for the pods that run there: logtool logs '*:pods/*' --node ${data.node.name ?? 'NAME'}`;
    case 'scaled-to-zero':
      return 'scale it up, or wait for its pods with -f';
  }
}

function filterAdvice(data: ResolveFailures['filter-leaves-none']): string {
  switch (data.of) {
    case 'pods':
      return 'check the values, or leave out the filter';
    case 'states':
      return 'check the states, or leave out the filter';
    case 'containers':
      return data.near.length > 0
        ? `did you mean --container ${data.near.join(' or ')}?`
        : 'choose one of these, or leave out the filter';
  }
}
