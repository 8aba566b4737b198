import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { ApiError, badRequest, invalid, notFound } from '../../api-error.ts';
import type { NodeAgent } from '../../node-agent.ts';
import type { Store, StoredObject } from '../../store/store.ts';
import { type ApiRequest, flag, parameter, type Reply } from '../http/request.ts';
import { array, at, text } from '../table/read.ts';
import { parseGoInteger, parseGoTime } from './go-time.ts';

interface LogParameters {
  readonly container: string;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  readonly sinceMs: number | undefined;
}

const PODS = { group: '', plural: 'pods' };
const OPTIONS = { group: '', kind: 'PodLogOptions' };

/**
 * Handles GET pods/log: reads and checks the parameters as the API server does, then calls the node's agent.
 * @throws ApiError 400, 404, 422 or the agent's error
 */
export async function podLog(
  store: Store,
  clock: Clock,
  agent: NodeAgent,
  request: ApiRequest,
  namespace: string,
  name: string,
): Promise<Reply> {
  const parameters = readParameters(request, clock, name);
  const pod = store.get('pods', namespace, name);
  if (pod === undefined) throw notFound(PODS, name);
  const container = chooseContainer(pod, parameters.container);
  if (text(at(pod, 'spec', 'nodeName')) === '') return { status: 204, headers: {}, body: undefined };
  const answer = await agent.containerLog({
    ...parameters,
    namespace,
    pod: name,
    podUid: pod.metadata.uid,
    container,
    signal: request.signal,
  });
  switch (answer.kind) {
    case 'no-content':
      return { status: 204, headers: {}, body: undefined };
    case 'status':
      throw new ApiError(answer.code, answer.reason, answer.message, detailsFor(answer.code, name));
    case 'stream':
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: answer.body };
  }
}

/**
 * Returns the details of a node's error: a 404 (the node does not know the pod yet) names the pod; other errors have
 * none.
 */
function detailsFor(code: number, name: string) {
  return code === 404 ? { name, kind: 'pods/log' } : undefined;
}

function readParameters(request: ApiRequest, clock: Clock, pod: string): LogParameters {
  const sinceSeconds = integer(request, 'sinceSeconds');
  const sinceText = parameter(request, 'sinceTime');
  const sinceTime = sinceText === '' ? undefined : parseGoTime(sinceText);
  const tailLines = integer(request, 'tailLines');
  const limitBytes = integer(request, 'limitBytes');
  if (sinceTime !== undefined && 'error' in sinceTime) throw badRequest(sinceTime.error);

  const causes: { reason: string; message: string; field: string }[] = [];
  const positive = (field: string, value: number | undefined) => {
    if (value === undefined || value > 0) return;
    causes.push({
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${value}: must be greater than 0`,
      field,
    });
  };
  if (tailLines !== undefined && tailLines < 0) {
    const message = `Invalid value: ${tailLines}: must be greater than or equal to 0`;
    causes.push({ reason: 'FieldValueInvalid', message, field: 'tailLines' });
  }
  positive('limitBytes', limitBytes);
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    const message = 'Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified';
    causes.push({ reason: 'FieldValueForbidden', message, field: '[]' });
  } else positive('sinceSeconds', sinceSeconds);
  if (request.query.has('stream')) {
    causes.push({
      reason: 'FieldValueForbidden',
      message: 'Forbidden: may not be specified',
      field: 'stream',
    });
  }
  if (causes.length > 0) throw invalid(OPTIONS, pod, causes);

  const sinceMs = sinceSeconds === undefined ? sinceTime?.ms : clock.now() - sinceSeconds * 1000;
  return {
    container: parameter(request, 'container'),
    follow: flag(request, 'follow'),
    previous: flag(request, 'previous'),
    timestamps: flag(request, 'timestamps'),
    tailLines,
    limitBytes,
    sinceMs,
  };
}

function integer(request: ApiRequest, name: string): number | undefined {
  const given = parameter(request, name);
  if (given === '') return undefined;
  const read = parseGoInteger(given);
  if ('error' in read) throw badRequest(read.error);
  return read.value;
}

/**
 * Returns the only regular container if the request names none. Only kubectl, not the API, reads the annotation for a
 * default.
 */
function chooseContainer(pod: StoredObject, asked: string): string {
  const names = (field: string) => array(at(pod, 'spec', field)).map((container) => text(container.name));
  const regular = names('containers');
  const { name } = pod.metadata;
  if (asked === '') {
    const [only] = regular;
    if (only !== undefined && regular.length === 1) return only;
    const choice = [...names('initContainers'), ...regular].join(' ');
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${choice}]`);
  }
  const all = [...names('initContainers'), ...regular, ...names('ephemeralContainers')];
  if (!all.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${name}`);
  return asked;
}
