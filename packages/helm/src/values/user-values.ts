import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { type HelmFailures, helmFailure } from '../failures.ts';
import { readJsonMap } from '../json/read-json.ts';
import { JsonSyntaxError } from '../json/scan-json.ts';
import type { Value, ValueMap } from '../value/value.ts';
import { readYamlMap } from '../yaml/read-yaml.ts';
import { YamlError } from '../yaml/yaml-error.ts';
import { applySet, SetError, type SetMode } from './set-syntax.ts';

/** Returns the text of a values file. */
export type ReadText = (path: string) => string;

/** The user's values on the command line, each kind in the order given. */
export interface ValueFlags {
  /** `-f`, `--values`: paths. */
  readonly files?: readonly string[];
  /** `--set-json` */
  readonly json?: readonly string[];
  /** `--set` */
  readonly typed?: readonly string[];
  /** `--set-string` */
  readonly strings?: readonly string[];
}

/**
 * Merges all values from the command line into one map. Later ones win, and kinds win in this order: files, --set-json,
 * --set, --set-string (https://helm.sh/docs/helm/helm_install/). A null stays: it later removes the chart's own value.
 * @throws CodedError naming the invalid flag or file
 */
export function readUserValues(flags: ValueFlags, readFile: ReadText): ValueMap {
  const readText = (path: string) => readOrExplain(path, readFile);
  let values: ValueMap = new Map();
  for (const path of flags.files ?? []) values = mergeMaps(values, readValuesFile(path, readText));
  for (const text of flags.json ?? []) values = applyJson(text, values);
  const apply = (given: GivenAs, texts: readonly string[] | undefined, mode: SetMode) => {
    for (const text of texts ?? []) named(given, text, () => applySet(text, values, mode));
  };
  apply('typed', flags.typed, 'typed');
  apply('string', flags.strings, 'string');
  return values;
}

function readOrExplain(path: string, readFile: ReadText): string {
  try {
    return readFile(path);
  } catch (error) {
    if (error instanceof CodedError) throw error;
    const data = { path, why: (error as Error).message };
    throw helmFailure('values-file-unreadable', data, { exit: 'usage', cause: error });
  }
}

function applyJson(text: string, values: ValueMap): ValueMap {
  return named('json', text, () => {
    if (text.trim().startsWith('{')) return mergeMaps(values, readJsonMap(text.trim()));
    applySet(text, values, 'json');
    return values;
  });
}

function readValuesFile(path: string, readText: ReadText): ValueMap {
  const text = readText(path);
  try {
    return readValues(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const data = { path, why: error.message };
    throw helmFailure('values-file-invalid', data, { exit: 'usage', cause: error });
  }
}

/**
 * Reads the values in a text: those of all its YAML documents, later ones over earlier ones.
 * @throws YamlError
 */
export function readValues(text: string): ValueMap {
  let values: ValueMap = new Map();
  const owned = new Set<ValueMap>();
  for (const document of splitYamlDocuments(text)) values = mergeMaps(values, readDocument(document), owned);
  return values;
}

function readDocument(text: string): ValueMap {
  try {
    return readYamlMap(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new YamlError(`cannot unmarshal yaml document: ${error.message}`, { cause: error });
  }
}

/**
 * Merges two maps: tables recursively, everything else from `over`, including nulls. `owned`: maps created here, which
 * it may change, so that repeated merges copy a map only once.
 */
export function mergeMaps(under: ValueMap, over: ValueMap, owned: Set<ValueMap> = new Set()): ValueMap {
  const merged = owned.has(under) ? under : new Map(under);
  owned.add(merged);
  for (const [key, value] of over) {
    const below: Value | undefined = merged.get(key);
    merged.set(key, value instanceof Map && below instanceof Map ? mergeMaps(below, value, owned) : value);
  }
  return merged;
}

type GivenAs = HelmFailures['invalid-value-flag']['given'];

function named<Result>(given: GivenAs, text: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof SetError) && !(error instanceof JsonSyntaxError)) throw error;
    const data = { given, text, why: error instanceof SetError ? error.why : error.message };
    throw helmFailure('invalid-value-flag', data, { exit: 'usage', cause: error });
  }
}

/**
 * Splits a text into YAML documents at lines that begin with `---`, like Kubernetes' multi-document reader.
 * @throws YamlError if anything but a comment follows one
 */
function splitYamlDocuments(text: string): string[] {
  const documents: string[] = [];
  let lines: string[] = [];
  for (const line of text.split(/(?<=\n)/)) {
    if (!line.startsWith('---')) {
      lines.push(line);
      continue;
    }
    const rest = line.slice(3).trim();
    if (rest !== '' && !rest.startsWith('#')) {
      throw new YamlError(`error reading yaml document: invalid Yaml document separator: ${rest}`);
    }
    if (lines.length > 0) documents.push(lines.join(''));
    lines = [];
  }
  if (lines.length > 0) documents.push(lines.join(''));
  return documents;
}
