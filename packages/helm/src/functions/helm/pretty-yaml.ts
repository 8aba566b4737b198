import { writeYamlPretty } from '../../yaml/write-yaml.ts';
import { toDocument } from './documents.ts';

/** `toYamlPretty`: as go-yaml 3 writes it, lists indented under their keys. */
export const TO_YAML_PRETTY = toDocument({ write: writeYamlPretty });
