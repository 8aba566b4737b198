import { ApiError } from '../../contract/client.ts';
import type { WireError } from '../../contract/error.ts';
import { serverClock } from '../frame/server-clock.ts';
import { loadMessages } from '../messages/message-of.ts';
import { causeText, pageError } from '../messages/page.ts';

type Result<T> = { readonly ok: true; readonly body: T } | { readonly ok: false; readonly error: ApiError };

/** Sends one request with a JSON answer. Rejects only with the reason of the signal that ended it. */
export async function requestJson(
  send: typeof fetch,
  url: string,
  init: RequestInit,
): Promise<Result<unknown>> {
  const opened = await request(send, url, init);
  if (!opened.ok) return opened;
  const response = opened.body;
  if (response.status === 204) return { ok: true, body: undefined };
  try {
    const text = await response.text();
    const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '');
    // An answer may report errors of a part: of one context, of the list of namespaces.
    if (text.includes('"code":')) await loadMessages();
    return { ok: true, body: isJson ? JSON.parse(text) : text };
  } catch (cause) {
    init.signal?.throwIfAborted();
    return { ok: false, error: unreadable(cause) };
  }
}

/** Sends a request and reads only the status. Rejects only with the reason of the signal that ended it. */
export async function request(send: typeof fetch, url: string, init: RequestInit): Promise<Result<Response>> {
  let response: Response;
  const sentMs = Date.now();
  try {
    response = await send(url, { credentials: 'same-origin', cache: 'no-store', ...init });
  } catch (cause) {
    init.signal?.throwIfAborted();
    return { ok: false, error: unreachable(cause) };
  }
  serverClock.note(response.headers.get('date'), sentMs, Date.now());
  if (response.ok) return { ok: true, body: response };
  return { ok: false, error: new ApiError(response.status, await readError(response)) };
}

/** The server could not be reached, or the connection broke: status 0. */
export function unreachable(cause: unknown): ApiError {
  return new ApiError(0, pageError('server-unreachable', { cause: causeText(cause) }));
}

function unreadable(cause: unknown): ApiError {
  return new ApiError(0, pageError('bad-answer', { cause: causeText(cause) }));
}

/** Reads the error body of a refusal, if logtool sent it; a proxy may answer anything. */
async function readError(response: Response): Promise<WireError> {
  const text = await response.text().catch(() => '');
  try {
    const error = (JSON.parse(text) as { error?: Partial<WireError> } | null)?.error;
    const { code, data, denied } = error ?? {};
    if (typeof code === 'string' && typeof data === 'object') {
      await loadMessages();
      return { code, data, denied };
    }
  } catch {
    // Not from logtool: the page shows the status.
  }
  const { status, statusText } = response;
  return pageError('http-refusal', { status, statusText });
}
