import type { FunctionTable, GoFunction } from '../../template/function.ts';
import { writeYamlPretty } from '../../yaml/write/write-yaml.ts';
import { fromDocument, fromListDocument, mustToDocument, toDocument } from './documents.ts';
import { FAIL, GET_HOST_BY_NAME, INCLUDE, LOOKUP, REQUIRED, TPL } from './engine.ts';
import { JSON_FORMAT, YAML_FORMAT } from './formats.ts';
import { FROM_TOML, TO_TOML } from './toml.ts';

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
  // As go-yaml 3 writes it: lists are indented under their keys.
  ['toYamlPretty', toDocument({ write: writeYamlPretty })],
  ['toToml', TO_TOML],
  ['fromToml', FROM_TOML],
  ['toJson', toDocument(JSON_FORMAT)],
  ['mustToJson', mustToDocument(JSON_FORMAT)],
  ['fromJson', fromDocument(JSON_FORMAT)],
  ['fromJsonArray', fromListDocument(JSON_FORMAT)],
]);
