import { countValues } from '../value/count-values.ts';
import type { ValueMap } from '../value/value.ts';
import { chartError, chartFailure } from './chart-error.ts';

const MEBIBYTE = 1024 * 1024;

/** Maximum size of a chart's archive, as downloaded. */
export const ARCHIVE_LIMIT_BYTES = 20 * MEBIBYTE;
/** Maximum size of all files of a chart and its sub-charts: Helm's own limit. */
export const CHART_LIMIT_BYTES = 100 * MEBIBYTE;
/** Maximum size of one file of a chart: Helm's own limit. */
export const FILE_LIMIT_BYTES = 5 * MEBIBYTE;
/** Maximum unpacked size of an archive's headers and padding, in addition to the contents. */
const OVERHEAD_LIMIT_BYTES = 32 * MEBIBYTE;
const FILE_COUNT_LIMIT = 20_000;
/**
 * Maximum number of values in a chart and its sub-charts; each key and each list item counts. Ordinary charts have a
 * few thousand.
 */
export const VALUE_COUNT_LIMIT = 2 ** 20;
/** Maximum nesting of charts: `charts/a/charts/b/...`. */
const DEPTH_LIMIT = 20;

/**
 * Counts, while reading, what a chart uses together with all its sub-charts and nested archives, and enforces the
 * limits.
 */
export class ChartBudget {
  #contentBytes = 0;
  #unpackedBytes = 0;
  #files = 0;
  #values = 0;
  #depth = 0;

  /** Counts a file before it is read, by the size in its header. */
  announceFile(name: string, bytes: number): void {
    if (this.#contentBytes + bytes >= CHART_LIMIT_BYTES) throw tooLarge();
    if (bytes > FILE_LIMIT_BYTES) {
      throw chartError(
        `decompressed chart file ${JSON.stringify(name)} is larger than the maximum file size ${FILE_LIMIT_BYTES}`,
      );
    }
    if (++this.#files > FILE_COUNT_LIMIT) throw chartFailure({ problem: 'files', max: FILE_COUNT_LIMIT });
    this.#contentBytes += bytes;
  }

  /** Counts all bytes unpacked from an archive, including headers and padding. */
  addUnpacked(bytes: number): void {
    this.#unpackedBytes += bytes;
    if (this.#unpackedBytes > CHART_LIMIT_BYTES + OVERHEAD_LIMIT_BYTES) throw tooLarge();
  }

  /** Counts the values of a chart after they are read. */
  addValues(values: ValueMap): void {
    this.#values += countValues(values);
    if (this.#values > VALUE_COUNT_LIMIT) throw chartFailure({ problem: 'values', max: VALUE_COUNT_LIMIT });
  }

  /** Starts a sub-chart; `leaveChart` ends it. */
  enterChart(): void {
    if (++this.#depth > DEPTH_LIMIT) throw chartFailure({ problem: 'depth', max: DEPTH_LIMIT });
  }

  leaveChart(): void {
    this.#depth--;
  }
}

function tooLarge(): Error {
  return chartError(`decompressed chart is larger than the maximum size ${CHART_LIMIT_BYTES}`);
}
