import { PODS } from '../builtin-resources.ts';
import type { LogQuery, LogResponse, RequestOptions } from '../client.ts';
import { KubeError } from '../errors.ts';
import { performStream } from '../transport/perform.ts';
import type { Wire } from '../transport/wire.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { resourcePath, subjectOf } from './paths.ts';

/**
 * Opens one container log. The query parameters are those of
 * https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#get-read-log-of-the-specified-pod
 */
export async function openLog(
  wire: Wire,
  query: LogQuery,
  options: RequestOptions = {},
): Promise<LogResponse> {
  const address = { namespace: query.namespace, name: query.pod, subresource: 'log' };
  const { group = PODS.group, version = PODS.version, parameters } = query.from ?? {};
  const pods = { ...PODS, group, version };
  const subject = subjectOf('get', pods, address);
  const path = resourcePath(pods, address, {
    ...parameters,
    container: query.container,
    follow: flag(query.follow),
    previous: flag(query.previous),
    timestamps: flag(query.timestamps),
    tailLines: query.tailLines?.toString(),
    limitBytes: query.limitBytes?.toString(),
    sinceTime: query.sinceTime && formatTimestamp(query.sinceTime),
    sinceSeconds: query.sinceSeconds?.toString(),
  });
  const answer = await performStream(wire, {
    method: 'GET',
    path,
    subject,
    accept: '*/*',
    signal: options.signal,
    answerTimeoutMs: wire.logAnswerTimeoutMs,
    sharesConnection: true,
  });
  if (answer.status === 204) {
    await answer.body.next();
    return { status: 204, body: nothing() };
  }
  if (answer.encoding !== undefined && answer.encoding !== 'identity') {
    await answer.body.return();
    throw new KubeError({
      kind: 'protocol',
      problem: { code: 'encoding-unwanted', data: { encoding: answer.encoding } },
      request: subject,
    });
  }
  return { status: 200, body: answer.body };
}

/** The server treats only `false` and `0` as false, so an unset flag is omitted. */
function flag(value: boolean | undefined): string | undefined {
  return value ? 'true' : undefined;
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
