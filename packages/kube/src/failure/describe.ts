import { isAbsentObject, KubeError } from '../errors.ts';
import { LogtoolError } from '../values/errors.ts';
import { describeConnection } from './describe-connection.ts';
import { describeForbidden } from './describe-forbidden.ts';
import { describeTls } from './describe-tls.ts';
import { describeWrongPath } from './describe-wrong-path.ts';
import { quoteWord, subjectText } from './subject-text.ts';

/** As KubeClient.cluster. */
export interface ClusterName {
  readonly context: string;
  readonly server: string;
  readonly namespace: string;
  readonly user: string;
  readonly asFlags?: string | undefined;
  readonly hasOwnToken?: boolean | undefined;
}

/** Never thrown for what somebody else did. */
const DEFECTS = [TypeError, RangeError, ReferenceError, SyntaxError, URIError];

/**
 * A failure of talking to the cluster in words for people: what, why, what next. An error that is one for people
 * already (a plugin's, a proxy's) stays as it is; of anything else the message is all that is known. What JavaScript
 * itself throws is a defect of logtool, and the cluster has no part in it.
 */
export function describeKubeError(error: unknown, cluster: ClusterName): LogtoolError {
  if (error instanceof LogtoolError) return error;
  if (!(error instanceof KubeError)) {
    const isDefect = DEFECTS.some((kind) => error instanceof kind);
    const why = error instanceof Error ? error.message : String(error);
    return new LogtoolError({
      code: 'unexpected',
      what: isDefect ? 'logtool failed unexpectedly' : `talking to ${cluster.server} failed`,
      why,
      next: 'run the same with --debug and report what it prints',
      nextOnPage: 'look at what the server printed, and report it',
      cause: error,
    });
  }
  if (error.cause instanceof LogtoolError) return error.cause;
  return inOneLine(describe(error, cluster));
}

function describe(error: KubeError, cluster: ClusterName): LogtoolError {
  switch (error.kind) {
    case 'connection':
      return describeConnection(error, cluster);
    case 'tls':
      return describeTls(error, cluster);
    case 'credentials':
      return describeCredentials(error, cluster);
    case 'unauthorized':
      return describeUnauthorized(error, cluster);
    case 'forbidden':
      return describeForbidden(error, cluster);
    default:
      return describeAnswer(error, cluster);
  }
}

function describeCredentials(error: KubeError, cluster: ClusterName): LogtoolError {
  return new LogtoolError({
    code: 'credentials',
    what: `there are no credentials for ${userText(cluster)}`,
    why: error.message,
    next: `check the user of context "${cluster.context}" in the kubeconfig`,
    cause: error,
  });
}

function describeUnauthorized(error: KubeError, cluster: ClusterName): LogtoolError {
  // What stands before an API server often answers without a word.
  const said = error.message.includes('401') ? '' : ` ${error.message}`;
  if (cluster.hasOwnToken) {
    return new LogtoolError({
      code: 'unauthorized',
      what: 'the cluster does not accept the token',
      why: `${cluster.server} answered 401${said}: the token is expired, revoked or for another cluster`,
      next: 'give another token with --token, or leave it out to use the kubeconfig',
      cause: error,
    });
  }
  return new LogtoolError({
    code: 'unauthorized',
    what: `the cluster does not accept the credentials of ${userText(cluster)}`,
    why: `${cluster.server} answered 401${said}: they are expired, revoked or for another cluster`,
    next: `log in again, then check with: kubectl auth whoami --context ${quoteWord(cluster.context)}`,
    cause: error,
  });
}

function describeAnswer(error: KubeError, cluster: ClusterName): LogtoolError {
  const subject = subjectText(error.request);
  const parts = { why: whyText(error), cause: error };
  switch (error.kind) {
    case 'not-found':
      if (!isAbsentObject(error)) return describeWrongPath(error, cluster);
      return new LogtoolError({
        ...parts,
        code: 'not-found',
        what: `${subject} was not found`,
        next: 'check the name, and the namespace with -n',
        nextOnPage: 'check the name and the namespace, which stands before the colon',
      });
    case 'too-many-requests':
      return new LogtoolError({
        ...parts,
        code: 'too-many-requests',
        what: `the cluster is too busy to answer for ${subject}`,
        next: 'wait a little and run it again, or read fewer containers at once with --max-log-requests',
        nextOnPage: 'wait a little, or choose fewer containers',
      });
    case 'server':
      return new LogtoolError({
        ...parts,
        code: 'server-error',
        what: `the cluster failed to answer for ${subject}`,
        next: 'run it again; if it stays so, look at the API server, and at the node where the pod runs',
        nextOnPage: 'if it stays so, look at the API server, and at the node where the pod runs',
      });
    case 'protocol':
      return new LogtoolError({
        ...parts,
        code: 'protocol-error',
        what: `the answer of ${cluster.server} for ${subject} cannot be read`,
        next: 'check that the address is that of a Kubernetes API server and that no proxy changes its answers',
      });
    case 'gone':
      return new LogtoolError({
        ...parts,
        code: 'gone',
        what: `what the cluster kept for ${subject} has expired`,
        next: 'run it again',
      });
    case 'conflict':
      return new LogtoolError({
        ...parts,
        code: 'conflict',
        what: `${subject} was changed by someone else, or exists already`,
        next: 'check the current state, then run it again',
      });
    default:
      return new LogtoolError({
        ...parts,
        code: error.kind === 'bad-request' ? 'bad-request' : 'http-error',
        what: `the cluster refused the request for ${subject}`,
        ...(error.kind === 'bad-request'
          ? nextOfBadRequest(error)
          : {
              next: `check that ${cluster.server} is the address of a Kubernetes API server, without a login page before it`,
            }),
      });
  }
}

/** The reason names what is wrong with the request; of a field it does not say which ones there are. */
function nextOfBadRequest({ message }: KubeError): { readonly next?: string } {
  if (!message.includes('field label not supported')) return {};
  return { next: 'use a field that the cluster can select by, such as status.phase or spec.nodeName' };
}

/** Each part is one line, and nothing that a server (or what stands in for it) says steers the terminal. */
function inOneLine({ code, what, why, next, nextOnPage, exit, cause }: LogtoolError): LogtoolError {
  return new LogtoolError({
    code,
    what: fold(what),
    why: why && fold(why),
    next: next && fold(next),
    nextOnPage: nextOnPage && fold(nextOnPage),
    exit,
    cause,
  });
}

function fold(text: string): string {
  // C0 and C1 controls, line separators, and the marks that reorder text.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ').trim();
}

function whyText(error: KubeError): string {
  return error.status === undefined ? error.message : `${error.message} (${error.status})`;
}

function userText(cluster: ClusterName): string {
  return cluster.user === '' ? `context "${cluster.context}"` : `user "${cluster.user}"`;
}
