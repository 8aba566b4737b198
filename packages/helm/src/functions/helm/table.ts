import type { FunctionTable, GoFunction } from '../../template/function.ts';
import { fromDocument, fromListDocument, mustToDocument, toDocument } from './documents.ts';
import { FAIL, GET_HOST_BY_NAME, INCLUDE, LOOKUP, REQUIRED, TPL } from './engine.ts';
import { JSON_FORMAT } from './json-format.ts';
import { TO_YAML_PRETTY } from './pretty-yaml.ts';
import { FROM_TOML, TO_TOML } from './toml.ts';
import { YAML_FORMAT } from './yaml-format.ts';

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
  ['toYamlPretty', TO_YAML_PRETTY],
  ['toToml', TO_TOML],
  ['fromToml', FROM_TOML],
  ['toJson', toDocument(JSON_FORMAT)],
  ['mustToJson', mustToDocument(JSON_FORMAT)],
  ['fromJson', fromDocument(JSON_FORMAT)],
  ['fromJsonArray', fromListDocument(JSON_FORMAT)],
]);
