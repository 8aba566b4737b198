import type { KubeError } from '../errors.ts';
import { LogtoolError } from '../values/errors.ts';
import type { ClusterName } from './describe.ts';
import { subjectText } from './subject-text.ts';

/**
 * The server serves nothing at the path that was asked for: its address has a path of another cluster (of Rancher,
 * say), or the kind is gone. Nothing is known of the object itself.
 */
export function describeWrongPath(error: KubeError, cluster: ClusterName): LogtoolError {
  const { message, status = '' } = error;
  return new LogtoolError({
    code: error.kind,
    what: `there is no API for ${subjectText(error.request)} at ${cluster.server}`,
    why: message.includes(`${status}`) ? message : `${message} (${status})`,
    next: `check the server address of context "${cluster.context}", also its path; kubectl api-resources lists the kinds that there are`,
    cause: error,
  });
}
