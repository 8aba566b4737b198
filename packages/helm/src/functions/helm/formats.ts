import { readJsonArray, readJsonMap } from '../../json/read-json.ts';
import { writeJson } from '../../json/write-json.ts';
import { nilList, nilMap } from '../../value/type.ts';
import { readYamlArray, readYamlMap } from '../../yaml/read-yaml.ts';
import { writeYaml } from '../../yaml/write/write-yaml.ts';
import type { DocumentFormat } from './documents.ts';

/** JSON as encoding/json reads and writes it. Throws Error with its messages. */
export const JSON_FORMAT: DocumentFormat = {
  write: (value) => writeJson(value),
  // null makes a nil map, or list, of Go's.
  readMap: (text) => (text.trim() === 'null' ? nilMap() : readJsonMap(text)),
  readList: (text) => (text.trim() === 'null' ? nilList() : readJsonArray(text)),
};

/** YAML as sigs.k8s.io/yaml reads and writes it. Throws Error with its messages. */
export const YAML_FORMAT: DocumentFormat = {
  write: writeYaml,
  readMap: (text) => readYamlMap(text),
  readList: (text) => readYamlArray(text),
};
