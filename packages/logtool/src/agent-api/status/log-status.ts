import { failure, type Status, type StatusCause } from './status.ts';

/** Errors of requests for the log of a container; in the words of core where core has such an error. */

const PODS = 'pods';
const OPTIONS = 'PodLogOptions';

export function podNotFound(pod: string): Status {
  return failure(404, 'NotFound', `${PODS} "${pod}" not found`, { name: pod, kind: PODS });
}

/** For a path that the server does not serve. */
export function unknownPath(): Status {
  return failure(404, 'NotFound', 'the server could not find the requested resource');
}

export function methodNotAllowed(): Status {
  const message = 'the server does not allow this method on the requested resource';
  return failure(405, 'MethodNotAllowed', message);
}

/** Names what the request must choose between. */
export function choiceNeeded(what: 'container' | 'uid', pod: string, names: readonly string[]): Status {
  const article = what === 'uid' ? 'a uid' : 'a container name';
  const message = `${article} must be specified for pod ${pod}, choose one of: [${names.join(' ')}]`;
  return failure(400, 'BadRequest', message);
}

/** The container has not started, for the reason that the pod's status gives (pkg/kubelet: kubelet_pods.go). */
export function waitingToStart(container: string, pod: string, reason: string): Status {
  const because = WAITING_TEXTS.get(reason) ?? reason;
  return failure(
    400,
    'BadRequest',
    `container "${container}" in pod "${pod}" is waiting to start: ${because}`,
  );
}

const WAITING_TEXTS: ReadonlyMap<string, string> = new Map([
  ['ErrImagePull', "image can't be pulled"],
  ['ImagePullBackOff', 'trying and failing to pull image'],
]);

/** There is nobody to ask for the files of a node. Without Retry-After: kubectl would repeat the request for a minute. */
export function agentMissing(node: string, problem: 'none' | 'unreachable'): Status {
  const what = problem === 'none' ? 'no agent of logtool runs on' : 'cannot reach the agent of logtool on';
  return failure(503, 'ServiceUnavailable', `${what} node "${node}"`);
}

export function containerNotValid(container: string, pod: string): Status {
  return failure(400, 'BadRequest', `container ${container} is not valid for pod ${pod}`);
}

export function previousNotFound(container: string, pod: string): Status {
  const message = `previous terminated container "${container}" in pod "${pod}" not found`;
  return failure(400, 'BadRequest', message);
}

/** The node has no files of the run; undefined: of any run. */
export function runNotFound(run: number | undefined, container: string, pod: string): Status {
  const what = run === undefined ? 'no files' : `no files of run ${run}`;
  const message = `${what} of container "${container}" in pod "${pod}" are on this node`;
  return failure(404, 'NotFound', message);
}

/** A parameter that this version does not know what to do with: it would return other lines than were requested. */
export function notSupported(parameter: string): Status {
  return failure(400, 'BadRequest', `the parameter ${parameter} is not supported by this agent`);
}

/** A pattern that cannot be compiled; `why`: what is wrong with it. */
export function badPattern(parameter: string, pattern: string, why: string): Status {
  return failure(400, 'BadRequest', `${parameter}: ${JSON.stringify(pattern)} is no RE2 pattern: ${why}`);
}

/** Patterns that would take too long; both in instructions. */
export function patternTooLarge(size: number, limit: number): Status {
  return failure(
    400,
    'BadRequest',
    `the patterns have ${size} instructions, and at most ${limit} are matched`,
  );
}

/** The agent runs as many searches as it may. */
export function tooManyScans(): Status {
  const message = 'the agent already runs as many searches and counts as it may: try again later';
  return failure(429, 'TooManyRequests', message, { retryAfterSeconds: SCAN_RETRY_SECONDS });
}

/** Most searches of a node's files take less. */
const SCAN_RETRY_SECONDS = 1;

export function badInteger(text: string): Status {
  const message = `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`;
  return failure(400, 'BadRequest', message);
}

export function badTime(text: string): Status {
  return failure(400, 'BadRequest', `parsing time ${JSON.stringify(text)}: not an RFC 3339 time`);
}

/** What is wrong with one option of a request. */
export type OptionProblem =
  | { readonly field: string; readonly value: number; readonly least: 0 | 1 }
  | { readonly field: string; readonly unsupported: string; readonly supported: readonly string[] }
  | { readonly exclusive: readonly [string, string] };

export function optionsNotValid(pod: string, problems: readonly OptionProblem[]): Status {
  const causes = problems.map(causeOf);
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  const text = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const message = `${OPTIONS} "${pod}" is invalid: ${text}`;
  return failure(422, 'Invalid', message, { name: pod, kind: OPTIONS, causes });
}

function causeOf(problem: OptionProblem): StatusCause {
  if ('exclusive' in problem) {
    const [one, other] = problem.exclusive;
    const message = `Forbidden: at most one of \`${one}\` or \`${other}\` may be specified`;
    return { reason: 'FieldValueForbidden', message, field: '[]' };
  }
  if ('unsupported' in problem) {
    const { field, unsupported, supported } = problem;
    const values = supported.map((value) => JSON.stringify(value)).join(', ');
    const message = `Unsupported value: ${JSON.stringify(unsupported)}: supported values: ${values}`;
    return { reason: 'FieldValueNotSupported', message, field };
  }
  const { field, value, least } = problem;
  const rule = least === 0 ? 'must be greater than or equal to 0' : 'must be greater than 0';
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${value}: ${rule}`, field };
}

/** A file that exists and cannot be read; `because`: how it differs from a log file that may be read. */
export function fileNotReadable(
  file: string,
  because: 'link' | 'not-regular' | 'not-permitted' | 'cut' | 'damaged',
): Status {
  return failure(500, 'InternalError', `cannot read ${file}: ${FILE_PROBLEMS[because]}`);
}

const FILE_PROBLEMS = {
  link: 'it is a symbolic link, which the agent does not follow',
  'not-regular': 'it is not a regular file',
  'not-permitted': 'the agent lacks the permission to read it',
  cut: 'it became shorter while it was read',
  damaged: 'its compressed data is damaged',
} as const;

/** A failure that has no error of its own; the agent's log has its cause. */
export function internalError(): Status {
  return failure(500, 'InternalError', 'the agent failed to read the log');
}
