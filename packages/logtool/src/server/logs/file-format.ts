import { decodeUtf8 } from '@logtool/kube/src/values/sanitize.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { CSV_HEAD, csvCell } from '../../domain/csv-cell.ts';
import { detectLevel } from '../../domain/level.ts';
import type { LogRecord } from '../../domain/record.ts';
import { recordJson } from '../../stream/view/record-json.ts';
import type { ByteWriter } from './byte-writer.ts';

export type FileKind = 'text' | 'jsonl' | 'csv';

/** How records are written into a file. */
export interface FileFormat {
  readonly contentType: string;
  readonly extension: string;
  /** The text before the first record. */
  readonly head: string;
  append(record: LogRecord, to: ByteWriter): void;
}

export const FILE_FORMATS: Readonly<Record<FileKind, FileFormat>> = {
  /** `TIMESTAMP NAMESPACE/POD/CONTAINER MESSAGE`, with the message bytes as the container wrote them. */
  text: {
    contentType: 'text/plain; charset=utf-8',
    extension: 'log',
    head: '',
    append({ at, message, run }, to) {
      const { namespace, pod, container } = run.target;
      to.text(`${formatTimestamp(at)} ${namespace}/${pod}/${container} `);
      to.bytes(message);
      to.byte(0x0a);
    },
  },
  /** Like `logtool logs -o json`. */
  jsonl: {
    contentType: 'application/jsonl; charset=utf-8',
    extension: 'jsonl',
    head: '',
    append(record, to) {
      to.text(recordJson(record, formatTimestamp(record.at)));
      to.byte(0x0a);
    },
  },
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    head: CSV_HEAD,
    append({ at, message, run }, to) {
      const { namespace, pod, container, placement } = run.target;
      const level = detectLevel(message) ?? '';
      const cells = [formatTimestamp(at), namespace, pod, container, placement.node ?? '', level];
      to.text(`${cells.map(csvCell).join(',')},${csvCell(decodeUtf8(message))}\r\n`);
    },
  },
};
