import { gunzipSync } from 'node:zlib';
import { measureJson } from '../json/measure-json.ts';
import { MalformedRelease } from './record-problem.ts';

/** Maximum unpacked size of a release: far more than an ordinary Secret of 1 MiB can hold. */
const MAX_BYTES = 64 * 1024 * 1024;
/**
 * Maximum number of values in one record. Templates, manifest and files are one text each: the largest charts have
 * about 100,000 values.
 */
const MAX_VALUES = 2 ** 21;
/** The limit for all JSON that this package reads. Go's limit is 10,000. */
const MAX_DEPTH = 1_000;

/** Limits the total size of the records of one release, which are in memory together. */
export class RecordBudget {
  #bytes = 16 * MAX_BYTES;
  #values = 2 * MAX_VALUES;

  /** @throws MalformedRelease if a record exceeds the rest of the budget. */
  take(bytes: number, values: number): void {
    this.#bytes -= bytes;
    this.#values -= values;
    if (this.#bytes < 0)
      throw new MalformedRelease({ problem: 'history-size', maxMiB: (16 * MAX_BYTES) / 2 ** 20 });
    if (this.#values < 0) throw new MalformedRelease({ problem: 'history-values', max: 2 * MAX_VALUES });
  }
}

/**
 * Unpacks the JSON of a release from its storage object. Measures it before parsing: 100 KB can hold gigabytes of
 * objects.
 * @throws MalformedRelease for one that is too large, too deep, or packed incorrectly
 */
export function unpackRecord(text: string, budget?: RecordBudget): string {
  const json = unpack(Buffer.from(text, 'base64'));
  const { values, depth } = measureJson(json, MAX_VALUES);
  if (values > MAX_VALUES) throw new MalformedRelease({ problem: 'too-many-values', max: MAX_VALUES });
  if (depth > MAX_DEPTH) throw new MalformedRelease({ problem: 'too-deep', max: MAX_DEPTH });
  budget?.take(json.length, values);
  return json.toString('utf8');
}

function unpack(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new MalformedRelease(
      isLarge
        ? { problem: 'too-large', maxMiB: MAX_BYTES / 2 ** 20 }
        : { problem: 'not-unpacked', why: (error as Error).message },
    );
  }
}
