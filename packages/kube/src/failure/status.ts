import type { KubeErrorKind } from '../client.ts';
import { KubeError, type KubeErrorInit, type RequestSubject, type StatusDetails } from '../errors.ts';
import { asRecord } from '../values/as-record.ts';

/**
 * Returns the error kind of an HTTP status (or of the code of a Status inside a watch).
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/
 */
export function kindOfStatus(status: number): KubeErrorKind {
  switch (status) {
    case 400:
    case 422:
      return 'bad-request';
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
      return 'not-found';
    case 409:
      return 'conflict';
    case 410:
      return 'gone';
    case 429:
      return 'too-many-requests';
    default:
      return status >= 500 && status <= 599 ? 'server' : 'http';
  }
}

/** Reads a Status object of unknown shape; undefined for any other value. */
export function errorFromStatus(
  value: unknown,
  fallbackStatus: number | undefined,
  request: RequestSubject | undefined,
  retryAfterMs?: number,
): KubeError | undefined {
  const status = asRecord(value);
  if (status?.kind !== 'Status') return undefined;
  const code = typeof status.code === 'number' ? status.code : fallbackStatus;
  if (code === undefined) return undefined;
  const details = asRecord(status.details);
  const seconds = details?.retryAfterSeconds;
  return new KubeError({
    kind: kindOfStatus(code),
    ...messageOr(text(status.message), code),
    status: code,
    reason: text(status.reason),
    details: details && readDetails(details),
    continueToken: text(asRecord(status.metadata)?.continue),
    retryAfterMs: retryAfterMs ?? (typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined),
    request,
  });
}

/** Makes the error for an HTTP response outside 2xx, from its status and the kept part of its body. */
export function errorFromAnswer(
  status: number,
  body: string,
  request: RequestSubject | undefined,
  retryAfterMs?: number,
): KubeError {
  const parsed = errorFromStatus(parseJson(body), status, request, retryAfterMs);
  if (parsed !== undefined) return parsed;
  return new KubeError({
    kind: kindOfStatus(status),
    // Not every response comes from the API server: a proxy or a load balancer sends text or HTML.
    ...messageOr(firstLine(body), status),
    status,
    retryAfterMs,
    request,
  });
}

function messageOr(message: string | undefined, status: number): Pick<KubeErrorInit, 'message' | 'problem'> {
  return message === undefined ? { problem: { code: 'status', data: { status } } } : { message };
}

function readDetails(details: Record<string, unknown>): StatusDetails {
  const causes = Array.isArray(details.causes) ? details.causes : [];
  return {
    name: text(details.name),
    group: text(details.group),
    kind: text(details.kind),
    causes: causes.map((cause: unknown) => ({
      field: text(asRecord(cause)?.field) ?? '',
      message: text(asRecord(cause)?.message) ?? '',
    })),
  };
}

/** Returns the text of a body that is not a Status: its first line, or the title of an HTML page. */
function firstLine(body: string): string | undefined {
  const title = /<title[^<>]*>([^<]{1,200})/i.exec(body)?.[1];
  const line = (title ?? body.split('\n').find((candidate) => candidate.trim() !== '') ?? '').trim();
  return line === '' ? undefined : line.slice(0, 300);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Without JSON, the caller uses the text of the body.
    return undefined;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
