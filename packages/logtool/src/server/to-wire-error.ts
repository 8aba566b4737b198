import { isKubeError, type KubeError } from '@logtool/kube/src/errors.ts';
import type { ClusterName } from '@logtool/kube/src/failure/cluster-name.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import { refusedRight } from '@logtool/kube/src/failure/describe-forbidden.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { kubeFailure } from '@logtool/kube/src/values/failures.ts';
import type { WireError } from '../contract/error.ts';

/** Converts any failure to a code with data. `cluster`: the cluster that the failure concerns. */
export function toWireError(error: unknown, cluster?: ClusterName): WireError {
  const reported =
    cluster === undefined || isCoded(error) ? withOwnText(error) : describeKubeError(error, cluster);
  const denied = deniedOf(error) ?? deniedOf(reported);
  const { code, data } = reported;
  return { code, data, ...(denied === undefined ? {} : { denied }) };
}

/** Converts a failure without a cluster or a user message, which is a defect: reveals no internals. */
function withOwnText(error: unknown): CodedError {
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
    namespace,
    name,
    check,
  };
}

/** Returns the cluster's refusal in an error's chain of causes. */
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
