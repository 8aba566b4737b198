import type { HelmFailures, ManifestProblem } from '@logtool/helm/src/failures.ts';
import { whyText } from '../../../messages/problems.ts';
import type { ComposedMessages, Message } from '../message.ts';
import { imageAdvice, imageProblem, pullCauseText } from './images.ts';
import { containerText, obstacleText, pendingText } from './obstacles.ts';
import { ownerText, takenText, unmarkedText } from './owners.ts';
import { inspectionText, reasonText } from './releases.ts';

type Codes = Pick<
  HelmFailures,
  | 'apply-conflict'
  | 'grant-refused'
  | 'hook-failed'
  | 'image-unavailable'
  | 'kind-unknown'
  | 'manifest-invalid'
  | 'manifest-malformed'
  | 'not-owned'
  | 'object-refused'
  | 'object-unchangeable'
  | 'object-unnamed'
  | 'wait-failed'
  | 'wait-timeout'
>;

export const OBJECT_MESSAGES: ComposedMessages<Codes> = {
  'apply-conflict': ({ object, fields }) => ({
    what: `somebody else owns fields of ${object} that the chart sets`,
    why: fields.map(({ field, message }) => `${message} ${field}`.trim()).join('\n'),
    next: 'set the same values in the chart, or have the other owner stop setting these fields',
  }),
  'grant-refused': ({ object, why, verb }) => ({
    what: `${object} would grant permissions that you do not have yourself`,
    why,
    next: `ask somebody who has these permissions to do this, or ask for the verb ${verb} on the role`,
  }),
  'hook-failed': ({ event, hook, namespace, failure, isDeleted, second }, messageOf) => {
    const message = messageOf(failure);
    const then = second === undefined ? undefined : messageOf(second);
    const cleanup =
      then === undefined ? '' : `\nthen, while deleting it as its delete policy says: ${reasonText(then)}`;
    const inspect = `inspect it with: kubectl describe ${hook.kind.toLowerCase()} ${hook.name} -n ${namespace}`;
    const next = isDeleted
      ? 'fix what failed and try again; without its delete policy hook-failed the hook stays, so that you can inspect it'
      : (message.next ?? inspect);
    return {
      what: `the ${event} hook ${hook.name} (${hook.path}) failed`,
      why: `${reasonText(message)}${cleanup}`,
      // An object that could not be deleted still exists for inspection.
      next: then === undefined ? next : then.next,
    };
  },
  'image-unavailable': ({ trouble, retry }, _messageOf, clusterFlags) => ({
    what: imageProblem(trouble),
    why: `${containerText(trouble)}: ${trouble.reason}: ${pullCauseText(trouble)}`,
    next: imageAdvice(trouble, retry, clusterFlags),
  }),
  'kind-unknown': ({ kinds }) => ({
    what: `the cluster does not serve ${kinds.map(({ kind, apiVersion }) => `${kind} of ${apiVersion}`).join(', ')}`,
    why: 'the chart contains kinds that this cluster does not have, or no longer has in that version',
    next: 'first install what defines these kinds, or use a version of the chart for this version of Kubernetes',
  }),
  'manifest-invalid': ({ path, why }) => ({
    what: `the template ${path} does not make a valid manifest`,
    why: `YAML parse error on ${path}: ${why}`,
    next: 'check the values that it uses; the cause is often a text without quotes',
  }),
  'manifest-malformed': (data) => ({
    what: `${data.source ?? 'a document of the manifest'} is not a Kubernetes object`,
    why: manifestText(data),
    next: 'see the rendered templates with: logtool cluster install --dry-run',
  }),
  'not-owned': notOwnedMessage,
  'object-refused': ({ object, why }) => ({
    what: `the cluster refuses ${object}`,
    why: whyText(why),
    next: 'correct the values or the chart; --dry-run shows what would be sent',
  }),
  'object-unchangeable': ({ object, fields, resource: { resource, name, namespace }, hasPods }) => {
    const where = namespace === undefined ? '' : ` -n ${namespace}`;
    return {
      what: `the cluster does not allow the chart's change to ${object}`,
      why: fields.map(({ field, message }) => `${field}: ${message}`).join('\n'),
      next: `restore its original value in the chart; or, if you can lose the object, delete it and try again: kubectl delete ${resource} ${name}${where}${hasPods ? ' --cascade=orphan' : ''}`,
    };
  },
  'object-unnamed': ({ kind }) => ({
    what: `a ${kind} of the chart has no name; logtool changed nothing`,
    why: 'with metadata.generateName the cluster chooses the name, so the release could not find its object again',
    next: 'give it a name in the chart; a hook may go without one',
  }),
  'wait-failed': ({ wanted, pending, inspect }) => ({
    what: `${pending.object} ${UNABLE[wanted]}`,
    why: obstacleText(pending),
    next: `inspect it with: ${inspectionText(inspect)}`,
  }),
  'wait-timeout': (data) => (data.of === 'kinds' ? kindsMessage(data) : objectsMessage(data)),
};

const UNABLE = {
  ready: 'does not become ready',
  gone: 'does not disappear',
  done: 'does not complete',
} as const;

function manifestText(data: ManifestProblem): string {
  switch (data.problem) {
    case 'no-yaml':
      return data.why;
    case 'no-map':
      return 'it is not a mapping';
    case 'no-kind':
      return 'apiVersion or kind is missing';
    case 'no-name':
      return `the ${data.kind} has no name`;
  }
}

type Timeout<Of extends 'objects' | 'kinds'> = Extract<HelmFailures['wait-timeout'], { readonly of: Of }>;

function objectsMessage({ wanted, timeoutMs, pending, inspect }: Timeout<'objects'>): Message {
  const inspection = inspect === undefined ? '' : `inspect it with: ${inspectionText(inspect)}; or `;
  return {
    what: `${pending.length === 1 ? 'one object is' : `${pending.length} objects are`} not ${wanted === 'done' ? 'completed' : wanted} after ${timeoutMs / 1000} s`,
    why: pending.map(pendingText).join('\n'),
    next: `${inspection}give it more time with --timeout`,
  };
}

function kindsMessage({ timeoutMs, missing }: Timeout<'kinds'>): Message {
  return {
    what: `the cluster does not serve ${missing.join(', ')} after ${timeoutMs / 1000} s`,
    why: "logtool installed the definitions in the chart's crds/, but the cluster does not list their kinds yet",
    next: 'install again once kubectl api-resources shows them, or give it more time with --timeout',
  };
}

function notOwnedMessage(data: HelmFailures['not-owned']): Message {
  switch (data.of) {
    case 'chart':
      return unmarkedMessage(data);
    case 'other-release':
      return {
        what: `${data.object} now belongs to ${ownerText(data.owner)}; logtool left it unchanged`,
        next: 'only one of the two releases can have it: rename it in the chart, or uninstall the other release',
      };
    case 'hooks': {
      const { objects, isChecked } = data;
      const one = objects.length === 1;
      return {
        what: `${one ? 'a hook' : 'hooks'} would replace ${one ? 'an object' : `${objects.length} objects`} of another release; logtool ${isChecked ? 'changed nothing' : 'left it unchanged'}`,
        why: objects.map(takenText).join('\n'),
        next: 'rename the hook in the chart, or uninstall the other release first; if that release no longer exists, delete the object; then try again',
      };
    }
    case 'replaced-hook':
      return {
        what: `somebody replaced ${data.object} while the hook ${data.hook.name} (${data.hook.path}) was deleting it; logtool left it unchanged`,
        next: 'rename the hook in the chart; or remove the object, then try again',
      };
  }
}

function unmarkedMessage({
  objects,
  release,
}: Extract<HelmFailures['not-owned'], { readonly of: 'chart' }>): Message {
  const why = objects.map(unmarkedText).join('\n');
  const next = (them: string) =>
    `remove ${them}, choose another --name or --namespace, or set these labels and annotations to hand ${them} over to the release ${release}`;
  return objects.length === 1
    ? {
        what: 'an object of the chart already exists and belongs to somebody else; logtool changed nothing',
        why,
        next: next('it'),
      }
    : {
        what: `${objects.length} objects of the chart already exist and belong to somebody else; logtool changed nothing`,
        why,
        next: next('them'),
      };
}
