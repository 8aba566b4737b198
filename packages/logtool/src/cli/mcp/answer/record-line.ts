import { decodeUtf8, sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { detectLevel } from '../../../domain/level.ts';
import type { LogRecord } from '../../../domain/record.ts';
import type { Redactor } from '../../../domain/redact/redactor.ts';
import { byteLength, clipBytes } from './clip.ts';

/** A record as an answer shows it: one line, without controls and secrets. */
export interface RecordLine {
  readonly at: Timestamp;
  readonly fields: {
    readonly time: string;
    readonly namespace: string;
    readonly pod: string;
    readonly container: string;
    readonly level?: string;
    readonly message: string;
    /** Bytes at its end that the message lacks. */
    readonly cutBytes?: number;
  };
  /** Kinds of the secrets that were masked. */
  readonly kinds: readonly string[];
}

/** Bytes of a message that are looked at beyond those shown: a secret that begins before the cut is masked as a whole. */
const LOOKAHEAD_BYTES = 8 * 1024;

/**
 * What is kept of a record while others are read. `redactor`: undefined: secrets are shown.
 *
 * @param maxBytes - of its message as it is shown
 */
export function recordLine(record: LogRecord, redactor: Redactor | undefined, maxBytes: number): RecordLine {
  const { at, message, source } = record;
  const { namespace, pod, container, id } = source.target;
  const head = message.subarray(0, maxBytes + LOOKAHEAD_BYTES);
  const clean = sanitizeText(decodeUtf8(head));
  const { text, kinds } = redactor?.redact(clean, id, maxBytes) ?? { text: clean, kinds: [] };
  const shown = clipBytes(text, maxBytes);
  const isCut = head.length < message.length || byteLength(clean) > maxBytes;
  const cutBytes = isCut ? Math.max(0, message.length - maxBytes) : 0;
  const level = detectLevel(message);
  return {
    at,
    fields: {
      time: formatTimestamp(at),
      namespace,
      pod,
      container,
      ...(level === undefined ? {} : { level }),
      message: shown,
      ...(cutBytes === 0 ? {} : { cutBytes }),
    },
    kinds,
  };
}

/** `TIME NAMESPACE/POD/CONTAINER MESSAGE` */
export function lineText({ fields }: RecordLine): string {
  const { time, namespace, pod, container, message, cutBytes } = fields;
  return `${time} ${namespace}/${pod}/${container} ${message}${cutBytes === undefined ? '' : ` [+${cutBytes} bytes]`}`;
}
