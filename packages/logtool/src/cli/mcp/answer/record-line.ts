import { createHmac, randomBytes } from 'node:crypto';
import { decodeUtf8, sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { detectLevel } from '../../../domain/level.ts';
import type { LogRecord } from '../../../domain/record.ts';
import type { Redactor } from '../../../domain/redact/redactor.ts';
import { byteLength, clipBytes } from './clip.ts';

/** A record as an answer shows it: one line, without control characters and secrets. */
export interface RecordLine {
  readonly at: Timestamp;
  /**
   * Distinguishes it from other records of the same time. Differs in each process, so it does not help to
   * guess what is masked.
   */
  readonly id: string;
  readonly fields: {
    readonly time: string;
    /** The id, if the time may not identify the record. */
    readonly id?: string;
    readonly namespace: string;
    readonly pod: string;
    readonly container: string;
    readonly level?: string;
    readonly message: string;
    /** Number of bytes cut from the end of the message. */
    readonly cutBytes?: number;
  };
  /** Kinds of the masked secrets. */
  readonly kinds: readonly string[];
}

const ID_KEY = randomBytes(32);
const ID_DIGITS = 8;

/**
 * Bytes of a message that the redactor reads beyond the shown ones, so that it masks a secret that begins
 * before the cut completely.
 */
const LOOKAHEAD_BYTES = 8 * 1024;

/**
 * Converts a record to what an answer keeps of it. Without `redactor`, secrets are shown.
 *
 * @param maxBytes - size of its message as shown
 */
export function recordLine(record: LogRecord, redactor: Redactor | undefined, maxBytes: number): RecordLine {
  const { at, message, run } = record;
  const { namespace, pod, container, id } = run.target;
  const head = message.subarray(0, maxBytes + LOOKAHEAD_BYTES);
  const clean = sanitizeText(decodeUtf8(head));
  const { text, kinds } = redactor?.redact(clean, id, maxBytes) ?? { text: clean, kinds: [] };
  const shown = clipBytes(text, maxBytes);
  const isCut = head.length < message.length || byteLength(clean) > maxBytes;
  const cutBytes = isCut ? Math.max(0, message.length - maxBytes) : 0;
  const level = detectLevel(message);
  return {
    at,
    id: idOf(record),
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

function idOf({ run, message }: LogRecord): string {
  const hash = createHmac('sha256', ID_KEY).update(run.keyText).update('\n').update(message);
  return hash.digest('hex').slice(0, ID_DIGITS);
}

/** Adds ids to all lines, or only to those that share their time with another. */
export function withIds(lines: readonly RecordLine[], ofAll: boolean): readonly RecordLine[] {
  const isShared = (index: number) =>
    [index - 1, index + 1].some((other) => lines[other]?.fields.time === lines[index]?.fields.time);
  return lines.map((line, index) => {
    if (!ofAll && !isShared(index)) return line;
    const { time, ...others } = line.fields;
    return { ...line, fields: { time, id: line.id, ...others } };
  });
}

/** Formats `TIME NAMESPACE/POD/CONTAINER MESSAGE`, or `TIME#ID ...` if the line has an id. */
export function lineText({ fields }: RecordLine): string {
  const { time, id, namespace, pod, container, message, cutBytes } = fields;
  return `${time}${id === undefined ? '' : `#${id}`} ${namespace}/${pod}/${container} ${message}${cutBytes === undefined ? '' : ` [+${cutBytes} bytes]`}`;
}
