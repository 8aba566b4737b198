import type { HelmFailures } from '@logtool/helm/src/failures.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import type { Coded, CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { whyOf } from '@logtool/kube/src/values/problems.ts';
import { whyText } from '../../messages/problems.ts';
import { CHART_MESSAGES } from './helm/charts.ts';
import { OBJECT_MESSAGES } from './helm/objects.ts';
import { PERMISSION_MESSAGES } from './helm/permissions.ts';
import { RELEASE_MESSAGES } from './helm/releases.ts';
import { REPOSITORY_MESSAGES } from './helm/repositories.ts';
import type { LogtoolError } from './logtool-error.ts';
import type { ComposedMessages, Message } from './message.ts';
import { MESSAGES, type MessageTable, messageIn, wordedBy } from './worded.ts';

/** The messages of the package manager's failures. */
const HELM_MESSAGES: ComposedMessages<HelmFailures> = {
  ...RELEASE_MESSAGES,
  ...OBJECT_MESSAGES,
  ...PERMISSION_MESSAGES,
  ...CHART_MESSAGES,
  ...REPOSITORY_MESSAGES,
};
const ALL: MessageTable = { ...MESSAGES, ...HELM_MESSAGES };

/**
 * Like `messageOf`, but includes helm's failures. `clusterFlags` makes commands in the message reach the same
 * cluster.
 */
export function helmMessageOf(coded: Coded, clusterFlags = ''): Message {
  return messageIn(ALL, coded, clusterFlags);
}

/**
 * Like `worded`, but includes helm's failures. `clusterFlags` makes commands in the message reach the same
 * cluster.
 */
export function helmWorded(error: CodedError, clusterFlags = ''): LogtoolError {
  return wordedBy((coded) => helmMessageOf(coded, clusterFlags), error);
}

/** Describes a failure for the record of a release: a row of a history shows what failed and why. */
export function describeForRecord(failure: CodedError | KubeError): string {
  if (failure instanceof KubeError) return whyText(whyOf(failure));
  const { what, why } = helmWorded(failure);
  return why === undefined ? what : `${what}: ${why}`;
}
