import { isKubeError } from '@logtool/kube/src/errors.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { Context } from 'hono';
import { openBackend } from '../../backend/open-backend.ts';
import { LogQuery } from '../../contract/log-query.ts';
import { resolveSources } from '../../resolve/resolve-sources.ts';
import { readLogs } from '../../stream/view/read-logs.ts';
import { breakOff } from '../break-off.ts';
import { type DownloadProblem, serverFailure } from '../failures.ts';
import { streamed } from '../ndjson/ndjson-answer.ts';
import type { MakeHandler } from '../routes/make-handler.ts';
import { holdSources } from '../security/limit-sources.ts';
import type { ClientLease, OpenStream, Services } from '../services.ts';
import { personOf } from '../session/person-of.ts';
import { FILE_FORMATS, type FileKind } from './file-format.ts';
import { guardQuery } from './guard-query.ts';
import { writeFile } from './write-file.ts';

/** Characters that no system accepts in a name, and those that would end the header. */
const UNFIT = /[^\p{L}\p{N}._-]+/gu;

const MAX_NAME_LENGTH = 120;

/**
 * `GET /contexts/{context}/logs/download`: a window as a file, streamed to its end or broken off visibly, never
 * silently truncated.
 */
export const answerDownload: MakeHandler<'GET /contexts/{context}/logs/download'> =
  (services) => async (context) => {
    const { query: text, format, name } = context.req.valid('query');
    const query = readQuery(text);
    const session = context.get('session');
    const lease = await services.clusters.client(context.req.valid('param').context, session);
    let stream: OpenStream | undefined;
    try {
      stream = services.streams.open(session, 'download');
      const abort = new AbortController();
      const signal = AbortSignal.any([abort.signal, stream.signal, context.req.raw.signal]);
      const chunks = openFile(query, format, {
        lease,
        stream,
        services,
        signal,
        person: personOf(session),
      });
      const giveUp = () => abort.abort(new Error('the client ended the download'));
      const body = await bodyOf(chunks, { context, ended: stream.signal, giveUp });
      const { contentType, extension } = FILE_FORMATS[format];
      return streamed(context, body, {
        'content-type': contentType,
        'content-disposition': attachment(fileName(name, query.sources, extension, services.clock.now())),
        'cache-control': 'no-store',
      });
    } catch (error) {
      stream?.end();
      lease.release();
      throw isKubeError(error) ? describeKubeError(error, lease.client.cluster) : error;
    }
  };

interface FileSettings {
  readonly lease: ClientLease;
  readonly stream: OpenStream;
  readonly services: Services;
  readonly signal: AbortSignal;
  readonly person: string;
}

/** Yields the file in chunks; releases its resources whenever it ends. */
async function* openFile(
  query: LogQuery,
  kind: FileKind,
  { lease, stream, services, signal, person }: FileSettings,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { client } = lease;
  let letGo = () => {};
  try {
    const { plan, isAllowed } = guardQuery(query, services, client);
    letGo = holdSources(person, plan.source.sources.length);
    const events = async function* () {
      for await (const event of resolveSources(client, plan.source, { follow: false, signal })) {
        if (!('target' in event) || isAllowed(event.target.namespace)) yield event;
      }
    };
    const engine = { ...plan.engine, cursors: false, searchLimitBytes: 0 };
    const { clock } = services;
    const backend = await openBackend({ rotated: query.rotated ?? 'no' }, client, clock);
    const frames = readLogs({ client, clock, signal, person, backend }, events(), engine);
    const { length } = plan.source.sources;
    yield* writeFile(frames, FILE_FORMATS[kind], { sources: length, onRecords: services.onRecordsSent });
  } finally {
    letGo();
    stream.end();
    lease.release();
  }
}

interface BodyControl {
  readonly context: Context;
  /** Aborted when the server ends it. */
  readonly ended: AbortSignal;
  readonly giveUp: () => void;
}

/** Reads until there is something to send, so that an earlier failure becomes an error answer. */
async function bodyOf(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  { context, ended, giveUp }: BodyControl,
): Promise<ReadableStream<Uint8Array>> {
  let first: IteratorResult<Uint8Array, void> | undefined = await chunks.next();
  // A running read fails by the signal, as it should; an idle one releases its resources.
  const leave = () => chunks.return().catch(() => undefined);
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = () => {
          breakOff(context, controller, ended.reason);
          void leave();
        };
        if (ended.aborted) end();
        else ended.addEventListener('abort', end, { once: true });
      },

      async pull(controller) {
        try {
          const step = first ?? (await chunks.next());
          first = undefined;
          if (step.done !== true) controller.enqueue(step.value);
          else if (!ended.aborted) controller.close();
        } catch (error) {
          if (!ended.aborted) breakOff(context, controller, error);
        }
      },

      async cancel() {
        giveUp();
        await leave();
      },
    },
    { highWaterMark: 0 },
  );
}

function readQuery(text: string): LogQuery {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw badDownload('download-json', undefined, cause);
  }
  const read = LogQuery.safeParse(value);
  if (!read.success) throw badDownload('download-query', read.error.issues[0]?.message);
  if (read.data.follow === true || read.data.resume !== undefined) {
    throw badDownload('download-follows');
  }
  return read.data;
}

function badDownload(problem: DownloadProblem, why?: string, cause?: unknown): CodedError {
  return serverFailure('bad-request', { problem, why }, { exit: 'usage', cause });
}

/** Returns a name for a file of logs: the requested one, escaped, with the extension of its format. */
export function fileName(
  asked: string | undefined,
  sources: readonly string[],
  extension: string,
  nowMs: number,
): string {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
  const wanted = asked ?? `${sources[0] ?? 'logs'}${sources.length > 1 ? '-and-more' : ''}-${time}`;
  const end = `.${extension}`;
  // Truncates first: the rest of half a surrogate pair is unfit too.
  const plain = (wanted.endsWith(end) ? wanted.slice(0, -end.length) : wanted)
    .slice(0, MAX_NAME_LENGTH)
    .replace(UNFIT, '-')
    .replace(/^[.-]+|[.-]+$/g, '');
  return `${plain === '' ? 'logs' : plain}${end}`;
}

/** Returns the header as in RFC 6266: a plain name for old clients, the full one in UTF-8 (RFC 8187). */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]/g, '_');
  const whole = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return plain === name
    ? `attachment; filename="${name}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
