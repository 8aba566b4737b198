import { isKubeError, type KubeError } from '@logtool/kube/src/errors.ts';
import { type ClusterName, describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import { refusedRight } from '@logtool/kube/src/failure/describe-forbidden.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import type { WireError } from '../contract/error.ts';

/** Any failure as the page is told of it. With the cluster, one of talking to it is worded for people. */
export function toWireError(error: unknown, cluster?: ClusterName): WireError {
  const told = cluster === undefined ? inOwnWords(error) : describeKubeError(error, cluster);
  const denied = deniedOf(error) ?? deniedOf(told);
  const next = told.nextOnPage ?? told.next;
  return {
    code: told.code,
    what: told.what,
    ...(told.why === undefined ? {} : { why: told.why }),
    ...(next === undefined ? {} : { next }),
    ...(denied === undefined ? {} : { denied }),
  };
}

/** What is no failure of a cluster and has no words for people is a defect: nothing of its inside is told. */
function inOwnWords(error: unknown): LogtoolError {
  if (error instanceof LogtoolError) return error;
  if (isKubeError(error)) {
    return describeKubeError(error, { context: '', server: 'the cluster', namespace: '', user: '' });
  }
  return new LogtoolError({
    code: 'unexpected',
    what: 'the server failed unexpectedly',
    next: 'look at what the server printed, and report it',
    cause: error,
  });
}

function deniedOf(error: unknown): WireError['denied'] {
  const refused = forbiddenBehind(error);
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
function forbiddenBehind(error: unknown): KubeError | undefined {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    if (isKubeError(current, 'forbidden')) return current;
    current = current.cause;
  }
  return undefined;
}
