import { KubeError } from '@logtool/kube/src/errors.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { whyOf } from '@logtool/kube/src/values/problems.ts';
import { helmFailure } from '../failures.ts';
import { type Target, targetText } from './target.ts';

/** Matches API servers' messages about an immutable field. */
const FIXED = /immutable|may not change|cannot change|updates to .* are forbidden/;

/** Explains why the API server refused to apply an object, with the object and the fields in question. */
export function explainRefusal(error: unknown, target: Target): unknown {
  if (!(error instanceof KubeError)) return error;
  const causes = error.details?.causes ?? [];
  if (error.kind === 'conflict' && causes.length > 0) {
    const fields = causes.map(({ field, message }) => ({ field, message }));
    return helmFailure('apply-conflict', { object: targetText(target), fields }, { cause: error });
  }
  const fixed = causes.filter(({ message }) => FIXED.test(message));
  if (error.kind === 'bad-request' && fixed.length > 0) return unchangeable(error, target, fixed);
  if (error.kind === 'not-found' && /^namespaces? /.test(error.message)) {
    const data = { namespace: target.namespace ?? '', target: targetText(target) };
    return helmFailure('namespace-not-found', data, { cause: error });
  }
  const given = /attempting to grant RBAC permissions not currently held:\n(.+)/s.exec(error.message)?.[1];
  if (error.kind === 'forbidden' && given !== undefined) {
    const verb = target.object.kind.endsWith('Binding') ? 'bind' : 'escalate';
    const data = { object: targetText(target), why: given, verb } as const;
    return helmFailure('grant-refused', data, { cause: error });
  }
  // The API server reports an unknown field with the status of an internal error.
  if (error.kind === 'bad-request' || /^failed to create typed patch object/.test(error.message)) {
    const data = { object: targetText(target), why: whyOf(error) };
    return helmFailure('object-refused', data, { cause: error });
  }
  return error;
}

/** Replacing one of these can leave its pods in place. */
const OWNERS = new Set(['StatefulSet', 'Deployment', 'DaemonSet', 'ReplicaSet']);

function unchangeable(
  cause: KubeError,
  target: Target,
  fields: readonly { readonly field: string; readonly message: string }[],
): CodedError {
  const { object, type, namespace } = target;
  return helmFailure(
    'object-unchangeable',
    {
      object: targetText(target),
      // Omit the value, which may be a whole template.
      fields: fields.map(({ field, message }) => ({
        field,
        message: message.replace(/^Invalid value: .*: (?=[^:]*$)/s, ''),
      })),
      resource: { resource: type.plural, name: object.name, namespace },
      hasPods: OWNERS.has(object.kind),
    },
    { cause },
  );
}
