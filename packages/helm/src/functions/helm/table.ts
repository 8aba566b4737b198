import { readJsonArray, readJsonMap } from '../../json/read-json.ts';
import { writeJson } from '../../json/write-json.ts';
import type { FunctionTable, GoFunction } from '../../template/function.ts';
import { nilList, nilMap } from '../../value/type.ts';
import { readYamlArray, readYamlMap } from '../../yaml/read-yaml.ts';
import { writeYaml, writeYamlPretty } from '../../yaml/write/write-yaml.ts';
import {
  type DocumentFormat,
  fromDocument,
  fromListDocument,
  mustToDocument,
  toDocument,
} from './documents.ts';
import { FAIL, GET_HOST_BY_NAME, INCLUDE, LOOKUP, REQUIRED, TPL } from './engine.ts';
import { FROM_TOML, TO_TOML } from './toml.ts';

/** Reads and writes JSON as encoding/json does. Throws Error with its messages. */
const JSON_FORMAT: DocumentFormat = {
  write: (value) => writeJson(value),
  // null decodes to a nil map or list of Go.
  readMap: (text) => (text.trim() === 'null' ? nilMap() : readJsonMap(text)),
  readList: (text) => (text.trim() === 'null' ? nilList() : readJsonArray(text)),
};

/** Reads and writes YAML as sigs.k8s.io/yaml does. Throws Error with its messages. */
const YAML_FORMAT: DocumentFormat = {
  write: writeYaml,
  readMap: (text) => readYamlMap(text),
  readList: (text) => readYamlArray(text),
};

/**
 * Helm's own functions
 * (https://helm.sh/docs/chart_template_guide/function_list/, https://github.com/helm/helm/blob/v4.1.4/pkg/engine/funcs.go).
 */
export const HELM_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['include', INCLUDE],
  ['tpl', TPL],
  ['required', REQUIRED],
  ['fail', FAIL],
  ['lookup', LOOKUP],
  ['getHostByName', GET_HOST_BY_NAME],
  ['toYaml', toDocument(YAML_FORMAT)],
  ['mustToYaml', mustToDocument(YAML_FORMAT)],
  ['fromYaml', fromDocument(YAML_FORMAT)],
  ['fromYamlArray', fromListDocument(YAML_FORMAT)],
  // As go-yaml 3 writes it: with lists indented under their keys.
  ['toYamlPretty', toDocument({ write: writeYamlPretty })],
  ['toToml', TO_TOML],
  ['fromToml', FROM_TOML],
  ['toJson', toDocument(JSON_FORMAT)],
  ['mustToJson', mustToDocument(JSON_FORMAT)],
  ['fromJson', fromDocument(JSON_FORMAT)],
  ['fromJsonArray', fromListDocument(JSON_FORMAT)],
]);
