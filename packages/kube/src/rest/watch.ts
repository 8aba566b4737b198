import type { CollectionQuery, KubeObject, RequestOptions, ResourceType, WatchEvent } from '../client.ts';
import { KubeError, type RequestSubject } from '../errors.ts';
import { errorFromStatus } from '../failure/status.ts';
import type { ResponseBody } from '../transport/body.ts';
import { decodeJson } from '../transport/decode-json.ts';
import { performStream } from '../transport/perform.ts';
import type { Wire } from '../transport/wire.ts';
import { asRecord } from '../values/as-record.ts';
import { asKubeObject, JSON_ACCEPT, METADATA_ACCEPT } from './decode.ts';
import { splitLines } from './lines.ts';
import { resourcePath, subjectOf } from './paths.ts';

/** etcd limits an object to a few megabytes; managed fields and JSON may double that. */
const EVENT_LIMIT_BYTES = 32 * 1024 * 1024;
/** The server ends the watch after 5 to 10 minutes, at random, so that many clients do not reconnect together. */
const MIN_WATCH_SECONDS = 300;
/** How long after the requested end the client waits before it treats the watch as dead. */
const GRACE_MS = 60_000;
/**
 * Bookmarks arrive about every minute. After this silence the client sends a new request: this loses nothing, and
 * detects a lost peer where TCP would take hours.
 */
const SILENCE_MS = 150_000;

/** One accepted watch. */
export interface OpenWatch<T extends KubeObject> {
  readonly events: AsyncGenerator<WatchEvent<T>, void>;
  /** Ends the events and closes the stream, even while a consumer waits for the next event. */
  close(): void;
}

/** What to watch, and after which version; an empty version requests all objects first. */
export type WatchQuery = CollectionQuery & { readonly resourceVersion: string };

/**
 * Opens one watch; resolves when the server has accepted it. The events end when the server ends them, or after so long
 * a silence that a new request is better. They throw a KubeError for an ERROR event (`gone` for 410).
 */
export async function openWatch<T extends KubeObject>(
  wire: Wire,
  type: ResourceType,
  query: WatchQuery,
  options: RequestOptions = {},
): Promise<OpenWatch<T>> {
  const timeoutSeconds = MIN_WATCH_SECONDS + Math.floor(wire.random() * MIN_WATCH_SECONDS);
  const subject = subjectOf('watch', type, query);
  const path = resourcePath(type, query, {
    watch: 'true',
    allowWatchBookmarks: 'true',
    timeoutSeconds: timeoutSeconds.toString(),
    resourceVersion: query.resourceVersion === '' ? undefined : query.resourceVersion,
    labelSelector: query.labelSelector,
    fieldSelector: query.fieldSelector,
  });
  const accept = query.metadataOnly ? METADATA_ACCEPT : JSON_ACCEPT;
  const { body } = await performStream(wire, {
    method: 'GET',
    path,
    subject,
    accept,
    signal: options.signal,
  });
  return {
    events: readEvents<T>(wire, body, subject, timeoutSeconds * 1000 + GRACE_MS),
    close: () => void body.return(),
  };
}

/** Marks an end that this client caused; the caller sees it as the end of the watch. */
const GIVEN_UP = Symbol('given up');

async function* readEvents<T extends KubeObject>(
  wire: Wire,
  body: ResponseBody,
  subject: RequestSubject,
  lifetimeMs: number,
): AsyncGenerator<WatchEvent<T>, void> {
  const giveUp = () => body.abandon(GIVEN_UP);
  const endLifetime = wire.clock.after(lifetimeMs, giveUp);
  let endSilence = wire.clock.after(SILENCE_MS, giveUp);
  try {
    for await (const line of splitLines(body, EVENT_LIMIT_BYTES, subject)) {
      endSilence();
      yield decodeEvent<T>(line, subject);
      endSilence = wire.clock.after(SILENCE_MS, giveUp);
    }
  } catch (error) {
    if (error !== GIVEN_UP) throw error;
  } finally {
    endSilence();
    endLifetime();
    body.return();
  }
}

function decodeEvent<T extends KubeObject>(line: Buffer, subject: RequestSubject): WatchEvent<T> {
  const event = asRecord(decodeJson(line, subject));
  switch (event?.type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type: event.type, object: asKubeObject<T>(event.object, subject) };
    case 'BOOKMARK':
      return {
        type: 'BOOKMARK',
        object: { metadata: { resourceVersion: bookmarkOf(event.object, subject) } },
      };
    case 'ERROR':
      throw errorFromStatus(event.object, undefined, subject) ?? malformed('empty-error-event', subject);
    default:
      throw errorFromStatus(event, undefined, subject) ?? malformed('not-an-event', subject);
  }
}

/** Returns a bookmark's resourceVersion, its only meaningful field. */
function bookmarkOf(object: unknown, subject: RequestSubject): string {
  const version = asRecord(asRecord(object)?.metadata)?.resourceVersion;
  if (typeof version === 'string' && version !== '') return version;
  throw malformed('bad-bookmark', subject);
}

function malformed(
  code: 'bad-bookmark' | 'empty-error-event' | 'not-an-event',
  request: RequestSubject,
): KubeError {
  return new KubeError({ kind: 'protocol', problem: { code, data: {} }, request });
}
