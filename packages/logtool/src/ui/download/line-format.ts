import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { RECORD_FLAGS } from '../../contract/record-flags.ts';
import { CSV_HEAD, csvCell } from '../../domain/csv-cell.ts';
import { embeddableJson } from '../../domain/embeddable-json.ts';
import type { Row, ViewSource } from '../worker/protocol/protocol.ts';

export const FILE_KINDS = ['text', 'jsonl', 'csv'] as const;
export type FileKind = (typeof FILE_KINDS)[number];
export type Line = Extract<Row, { readonly kind: 'line' }>;

export interface LineFormat {
  readonly contentType: string;
  readonly extension: string;
  readonly head: string;
  /** Formats one line with its line end. */
  write(line: Line, source: ViewSource | undefined): string;
}

/** File formats of the page; each line is identical to what the server writes. */
export const LINE_FORMATS: Readonly<Record<FileKind, LineFormat>> = {
  text: {
    contentType: 'text/plain;charset=utf-8',
    extension: 'log',
    head: '',
    write: (line, source) =>
      `${formatTimestamp(line)} ${source?.namespace ?? ''}/${source?.pod ?? ''}/${source?.container ?? ''} ${line.text}\n`,
  },
  jsonl: {
    contentType: 'application/jsonl;charset=utf-8',
    extension: 'jsonl',
    head: '',
    write: (line, source) => `${jsonOf(line, source)}\n`,
  },
  csv: {
    contentType: 'text/csv;charset=utf-8;header=present',
    extension: 'csv',
    head: CSV_HEAD,
    write: (line, source) =>
      `${[
        formatTimestamp(line),
        source?.namespace ?? '',
        source?.pod ?? '',
        source?.container ?? '',
        source?.node ?? '',
        line.level ?? '',
        line.text,
      ]
        .map(csvCell)
        .join(',')}\r\n`,
  },
};

function jsonOf(line: Line, source: ViewSource | undefined): string {
  const { flags } = line;
  const text = JSON.stringify({
    timestamp: formatTimestamp(line),
    message: line.text,
    namespace: source?.namespace,
    pod: source?.pod,
    container: source?.container,
    node: source?.node,
    stream:
      (flags & RECORD_FLAGS.stdout) !== 0
        ? 'stdout'
        : (flags & RECORD_FLAGS.stderr) !== 0
          ? 'stderr'
          : undefined,
    level: line.level,
    late: (flags & RECORD_FLAGS.late) !== 0 ? true : undefined,
  });
  const json = embeddableJson(line.text);
  return json === undefined ? text : `${text.slice(0, -1)},"json":${json}}`;
}

/** `shop-web-db-2026-11-21T13-42-01Z.jsonl`; contains only characters that every file system allows. */
export function fileNameOf(sources: readonly string[], nowMs: number, extension: string): string {
  const stamp = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
  const names = sources
    .map((source) => source.replace(/:[^/]+\//, '-'))
    .join('-')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 80);
  return `${names === '' ? 'logs' : names}-${stamp}Z.${extension}`;
}
