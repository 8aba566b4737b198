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
      return { what: `pods cannot be chosen by ${fields.join(', ')}: ${what}`, why, next };
    },
    'no-pods': (data) => ({ ...noPodsFact(data), next: noPodsAdvice(data) }),
    'none-of-kind': (data) => ({
      ...noneOfKindFact(data),
      next: isOneCluster(data)
        ? `kubectl get ${data.kinds}${data.isNamespaced ? ' -A' : ''} lists those that exist`
        : 'check the namespace, or search all of them with *: before the source',
    }),
    'filter-leaves-none': (data) => ({
      ...filteredFact(data, filterText),
      next:
        meantText(data.of === 'containers' ? data.near : []) ?? 'check the values, or leave out the filter',
    }),
    'source-not-found': (data) => ({
      ...absentObjectFact(data),
      next: meantText(data.near) ?? 'check the name and the namespace before the colon',
    }),
    'unknown-kind': unknownKindMessage,
    'no-source': () => ({ what: 'no log source was given', next: 'choose a workload or a pod' }),
    'bad-selector': (data) => ({
      what: 'this is not a label selector',
      why: selectorFaultText(data),
      next: 'write conditions with commas between, e.g. app=web,tier!=db',
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
        why: `it shows only namespace ${data.namespaces.join(', ')}, and kinds inside a namespace`,
        next,
      };
  }
}

const FILTERS: Readonly<Record<UsedFilter['filter'], string>> = {
  node: 'node',
  region: 'region',
  zone: 'zone',
  os: 'operating system',
  arch: 'architecture',
  'excluded-pods': 'the pods left out,',
  containers: 'container',
  'excluded-containers': 'the containers left out,',
  'excluded-kinds': 'the kinds of containers left out,',
  states: 'state',
};

/** A filter as the page names it. */
export function filterText({ filter, values }: UsedFilter): string {
  return `${FILTERS[filter]} ${values.join(', ')}`;
}

function noPodsAdvice(data: ResolveFailures['no-pods']): string {
  switch (data.reason) {
    case 'undisclosed':
      return 'check the name and the namespace';
    case 'no-match':
      return 'check the namespace, and what there is with: kubectl get pods --show-labels';
    case 'owns-none':
      return 'logs go with their pods; follow the newest lines to see those of new pods';
    case 'scaled-to-zero':
      return 'scale it up, or wait for its pods';
  }
}
