import { isUtf8 } from 'node:buffer';
import { decodeUtf8 } from '@logtool/kube/src/values/sanitize.ts';
import { embeddableJson } from '../../domain/embeddable-json.ts';
import { detectLevel } from '../../domain/level.ts';
import type { LogRecord } from '../../domain/record.ts';

/**
 * Returns a record as one line of JSON, without the newline. A message that is a JSON object also comes as `json`, with
 * its numbers unrounded; one that is not UTF-8 also comes as base64.
 */
export function recordJson(record: LogRecord, timestamp: string): string {
  const { target } = record.run;
  const message = decodeUtf8(record.message);
  const fields = {
    timestamp,
    message,
    namespace: target.namespace,
    pod: target.pod,
    container: target.container,
    node: target.placement.node,
    stream: record.stream,
    level: detectLevel(record.message),
    late: record.late ? true : undefined,
    messageBase64: isUtf8(record.message) ? undefined : Buffer.from(record.message).toString('base64'),
  };
  const text = JSON.stringify(fields);
  const json = embeddableJson(message);
  return json === undefined ? text : `${text.slice(0, -1)},"json":${json}}`;
}
