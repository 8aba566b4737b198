import { readJsonArray, readJsonMap } from '../../json/read-json.ts';
import { writeJson } from '../../json/write-json.ts';
import type { DocumentFormat } from './documents.ts';

/** JSON as encoding/json reads and writes it. Throws Error with its messages. */
export const JSON_FORMAT: DocumentFormat = {
  write: (value) => writeJson(value),
  readMap: readJsonMap,
  readList: readJsonArray,
};
