import { countValues } from '../value/count-values.ts';
import type { ValueMap } from '../value/value.ts';
import { chartError, chartFailure } from './chart-error.ts';

const MEBIBYTE = 1024 * 1024;

/** A chart's archive, as downloaded. */
export const ARCHIVE_LIMIT_BYTES = 20 * MEBIBYTE;
/** Contents of all files of a chart with those of its sub-charts: Helm's own limit. */
export const CHART_LIMIT_BYTES = 100 * MEBIBYTE;
/** One file of a chart: Helm's own limit. */
export const FILE_LIMIT_BYTES = 5 * MEBIBYTE;
/** Headers and padding of an archive, which are no contents: what they unpack to beyond these. */
const OVERHEAD_LIMIT_BYTES = 32 * MEBIBYTE;
const FILE_COUNT_LIMIT = 20_000;
/** Values of a chart and its sub-charts, each key and each item of a list counted: ordinary charts have some thousands. */
export const VALUE_COUNT_LIMIT = 2 ** 20;
/** Charts in charts: `charts/a/charts/b/...`. */
const DEPTH_LIMIT = 20;

/** What a chart and all its sub-charts, archives inside of archives too, may still take. Counted while reading. */
export class ChartBudget {
  #contentBytes = 0;
  #unpackedBytes = 0;
  #files = 0;
  #values = 0;
  #depth = 0;

  /** Before a file is read: a file as long as its header says must fit. */
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

  /** Everything that comes out of an archive, headers and padding included. */
  addUnpacked(bytes: number): void {
    this.#unpackedBytes += bytes;
    if (this.#unpackedBytes > CHART_LIMIT_BYTES + OVERHEAD_LIMIT_BYTES) throw tooLarge();
  }

  /** After the values of a chart have been read. */
  addValues(values: ValueMap): void {
    this.#values += countValues(values);
    if (this.#values > VALUE_COUNT_LIMIT) throw chartFailure({ problem: 'values', max: VALUE_COUNT_LIMIT });
  }

  /** A sub-chart begins; `leaveChart` ends it. */
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
