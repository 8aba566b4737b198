import { isKubeError, type KubeError } from '@logtool/kube/src/errors.ts';
import type { ClusterName } from '@logtool/kube/src/failure/cluster-name.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import { refusedRight } from '@logtool/kube/src/failure/describe-forbidden.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { kubeFailure } from '@logtool/kube/src/values/failures.ts';
import type { WireError } from '../contract/error.ts';

/** Any failure as the page receives it. With the cluster, words a failure of talking to it for people. */
export function toWireError(error: unknown, cluster?: ClusterName): WireError {
  const reported =
    cluster === undefined || isCoded(error) ? inOwnWords(error) : describeKubeError(error, cluster);
  const denied = deniedOf(error) ?? deniedOf(reported);
  if (!(reported instanceof LogtoolError))
    return {
      code: reported.code,
      data: wireData(reported.data),
      what: reported.code,
      ...(denied === undefined ? {} : { denied }),
    };
  const next = reported.nextOnPage ?? reported.next;
  return {
    code: reported.code,
    what: reported.what,
    ...(reported.why === undefined ? {} : { why: reported.why }),
    ...(next === undefined ? {} : { next }),
    ...(denied === undefined ? {} : { denied }),
  };
}

/** A failure without a cluster or a message for people is a defect: reveals nothing of its internals. */
function inOwnWords(error: unknown): CodedError {
  if (isCoded(error)) return error;
  if (isKubeError(error)) {
    return describeKubeError(error, { context: '', server: 'the cluster', namespace: '', user: '' });
  }
  return kubeFailure('unexpected', { why: '', isDefect: true }, { cause: error });
}

function deniedOf(error: unknown): WireError['denied'] {
  const refused = forbiddenCause(error);
  const right = refused === undefined ? undefined : refusedRight(refused);
  if (right === undefined) return undefined;
  const { verb, resource, subresource, namespace, name, check } = right;
  return {
    verb,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    check,
  };
}

/** The cluster's refusal that an error is made of, however deep. */
function forbiddenCause(error: unknown): KubeError | undefined {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    if (isKubeError(current, 'forbidden')) return current;
    current = current.cause;
  }
  return undefined;
}

function isCoded(error: unknown): error is CodedError {
  return error instanceof CodedError;
}

/** Of what the areas throw, all data is a record. */
function wireData(data: unknown): Record<string, unknown> {
  return typeof data === 'object' && data !== null ? { ...data } : {};
}
