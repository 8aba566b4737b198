import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type NodeUnderTest, stamp } from './node-under-test.ts';

const RECORDED = join(import.meta.dirname, '../../../../test/recorded');

/** One file of test/recorded/pods-log. For tests only. */
export interface RecordedExchange {
  readonly request: { readonly path: string };
  readonly response: { readonly status: number; readonly bodyBytes: number };
  readonly notes: {
    readonly closedBy: string;
    readonly timeline?: { readonly reads: readonly { readonly bytes: number; readonly text?: string }[] };
  };
  readonly facts?: {
    readonly lines: number;
    readonly first: number;
    readonly last: number;
    readonly gaps: readonly { readonly after: number; readonly missing: number }[];
  };
  readonly rawReads?: readonly { readonly raw: string }[];
  /** The decoded body of the response. */
  readonly body: Buffer;
}

export function recordingNames(): string[] {
  return readdirSync(join(RECORDED, 'pods-log')).map((file) => file.replace(/\.json$/, ''));
}

export function recording(name: string): RecordedExchange {
  const exchange = JSON.parse(readFileSync(join(RECORDED, 'pods-log', `${name}.json`), 'utf8'));
  const { body, bodyBase64 } = exchange.response;
  return {
    ...exchange,
    body: bodyBase64 === undefined ? Buffer.from(body ?? '') : Buffer.from(bodyBase64, 'base64'),
  };
}

/**
 * Shortens a body as the recorder did: runs of equal bytes to the first and the last 20, runs of digits to 30 and 40.
 */
export function shortened(body: Buffer): Buffer {
  const text = body.toString('latin1');
  const short = text.replace(/(.)\1{300,}/gs, (run, byte: string) => {
    return `${byte.repeat(20)}<<${run.length - 40} more "${byte}">>${byte.repeat(20)}`;
  });
  const shorter = short.replace(/\d{300,}/g, (run) => {
    return `${run.slice(0, 30)}<<${run.length - 70} more digits>>${run.slice(-40)}`;
  });
  return Buffer.from(shorter, 'latin1');
}

/** Writes the entries of a recorded CRI file into a run's log. */
export function putFile(node: NodeUnderTest, containerId: string, file: string): void {
  const text = readFileSync(join(RECORDED, 'cri-files', file)).toString('latin1');
  for (const line of text.split('\n').slice(0, -1)) {
    const [, at = '', stream, tag, message = ''] = /^(\S+) (stdout|stderr) ([PF]) (.*)$/s.exec(line) ?? [];
    node.runtime.append(containerId, {
      bytes: Buffer.from(message, 'latin1'),
      at: stamp(at),
      stream: stream === 'stderr' ? 'stderr' : 'stdout',
      partial: tag === 'P',
    });
  }
}

/** Writes `TIMESTAMP MESSAGE` lines, as timestamps=true returns them, into a run's log. */
export function putStamped(node: NodeUnderTest, containerId: string, body: string): void {
  for (const line of body.split('\n').slice(0, -1)) {
    const blank = line.indexOf(' ');
    const at = stamp(line.slice(0, blank));
    node.runtime.append(containerId, { bytes: Buffer.from(line.slice(blank + 1)), at });
  }
}

/** Returns the chunks of a verbatim HTTP/1.1 response with chunked encoding. */
export function httpChunks(exchange: RecordedExchange): string[] {
  const raw = (exchange.rawReads ?? []).map((read) => read.raw).join('');
  const chunks: string[] = [];
  for (let rest = raw.slice(raw.indexOf('\r\n\r\n') + 4); rest !== ''; ) {
    const lineEnd = rest.indexOf('\r\n');
    const size = Number.parseInt(rest.slice(0, lineEnd), 16);
    if (size > 0) chunks.push(rest.slice(lineEnd + 2, lineEnd + 2 + size));
    rest = rest.slice(lineEnd + 4 + size);
  }
  return chunks;
}
