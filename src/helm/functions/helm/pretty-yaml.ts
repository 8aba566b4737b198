import { goFunction } from '../../template/function.ts';
import { emitYaml } from '../../yaml/emit-yaml.ts';
import { GO_YAML_3 } from '../../yaml/line-writer.ts';

/** `toYamlPretty`: as go-yaml 3 writes it, lists indented under their keys. */
export const TO_YAML_PRETTY = goFunction(['interface {}'], 'string', (call, value) => {
  const text = emitYaml(value, GO_YAML_3).replace(/\n$/, '');
  call.charge(text.length);
  return text;
});
