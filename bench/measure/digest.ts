import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { type RecordsDigest, RecordsReader } from './records.ts';
import { lastLines, type Pipeline, shell } from './run-once.ts';

/** The output of a pipeline. */
export interface Digest {
  readonly bytes: number;
  readonly lines: number;
  readonly sha256: string;
  /** Set if lines were read as records. */
  readonly records: RecordsDigest | undefined;
  /** Set if the output was read as unordered parts; sha256 is then theirs. */
  readonly items: readonly string[] | undefined;
}

/** How to read an output, beyond its bytes. */
export interface Reading {
  /** The prefix of a program's lines, to read them as records. */
  readonly prefix?: RegExp | undefined;
  /** Returns the content of the whole output, independent of its format. */
  readonly itemsOf?: ((output: string) => readonly string[]) | undefined;
}

const NEWLINE = 10;

/** Runs a pipeline once, unmeasured, and reads its output through a pipe. */
export async function digest(
  pipeline: Pipeline,
  env: NodeJS.ProcessEnv,
  reading: Reading = {},
): Promise<Digest> {
  const child = spawn('bash', ['-c', `set -o pipefail; ${shell(pipeline)}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk).slice(-4000);
  });
  const closed = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const hash = createHash('sha256');
  const records = reading.prefix === undefined ? undefined : new RecordsReader(reading.prefix);
  const kept: Buffer[] = [];
  let bytes = 0;
  let lines = 0;
  let rest = '';
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    if (reading.itemsOf === undefined) hash.update(chunk);
    else kept.push(chunk);
    bytes += chunk.length;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
    if (records === undefined) continue;
    const texts = (rest + chunk.toString('latin1')).split('\n');
    rest = texts.pop() ?? '';
    for (const text of texts) records.take(text);
  }
  if (rest !== '') records?.take(rest);
  const code = await closed;
  if (code !== 0) throw new Error(`ended with ${code}: ${lastLines(errors)}`);
  const items = reading.itemsOf?.(Buffer.concat(kept).toString()).toSorted();
  for (const item of items ?? []) hash.update(`${item}\0`);
  return { bytes, lines, sha256: hash.digest('hex'), records: records?.end(), items };
}

/**
 * What must be equal in the outputs of two programs: every byte; the time and message of all records, which logtool
 * prints in order; the last ten of everything that the peer prints; or the objects in the output.
 */
export type Alike = 'bytes' | 'records' | 'last records' | 'objects' | 'nothing';

/** Returns how an output differs from the peer's in the property to compare; undefined if it does not. */
export function difference(alike: Alike, own: Digest, peer: Digest): string | undefined {
  switch (alike) {
    case 'nothing':
      return undefined;
    case 'bytes':
      return own.sha256 === peer.sha256
        ? undefined
        : `${own.bytes} bytes that are not the peer's ${peer.bytes}`;
    case 'objects':
      return own.sha256 === peer.sha256 ? undefined : missingObjects(own, peer);
    case 'records':
      return differentRecords(own, peer) ?? disorder(own);
    case 'last records':
      return differentLast(own, peer) ?? disorder(own);
  }
}

function missingObjects({ items: own = [] }: Digest, { items: expected = [] }: Digest): string {
  const missing = expected.filter((item) => !own.includes(item)).length;
  return `${own.length} objects instead of ${expected.length}, of which ${missing} are missing`;
}

function differentRecords(own: Digest, peer: Digest): string | undefined {
  if (own.lines !== peer.lines) return `${own.lines} lines instead of ${peer.lines}`;
  return own.records?.sum === peer.records?.sum ? undefined : 'records that are not those of the peer';
}

function differentLast({ lines, records }: Digest, peer: Digest): string | undefined {
  const expected = peer.records?.latest ?? [];
  if (lines !== expected.length) return `${lines} lines instead of ${expected.length}`;
  // Records with the same time have a different order in each program.
  const isSame = records?.latest.toSorted().join('\n') === expected.toSorted().join('\n');
  return isSame ? undefined : 'records that are not the last ones';
}

function disorder({ records }: Digest): string | undefined {
  return records?.isInOrder === true ? undefined : 'records that are not in the order of time';
}

/** Describes the compared property for the report. */
export function likeness(alike: Alike, { bytes, lines, records, items }: Digest): string {
  if (alike === 'nothing') return '';
  const size = `${(bytes / 1e6).toFixed(bytes < 1e6 ? 3 : 1)} MB`;
  if (alike === 'bytes') return `same bytes (${size})`;
  if (alike === 'objects') return `same ${items?.length} objects`;
  if (alike === 'last records') return `same last ${records?.latest.length} records, in order`;
  return `same records, in order (${lines.toLocaleString('en')} lines, ${size})`;
}
