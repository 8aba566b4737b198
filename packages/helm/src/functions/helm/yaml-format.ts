import { readYamlArray, readYamlMap } from '../../yaml/read-yaml.ts';
import { writeYaml } from '../../yaml/write-yaml.ts';
import type { DocumentFormat } from './documents.ts';

/** YAML as sigs.k8s.io/yaml reads and writes it. Throws Error with its messages. */
export const YAML_FORMAT: DocumentFormat = {
  write: writeYaml,
  readMap: (text) => readYamlMap(text),
  readList: (text) => readYamlArray(text),
};
