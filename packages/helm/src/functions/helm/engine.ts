import { GoError } from '../../template/errors.ts';
import { type GoFunction, goFunction } from '../../template/function.ts';
import { nilMap } from '../../value/type.ts';

/** `include NAME DATA`: returns the text of a named template, for pipelines. */
export const INCLUDE = goFunction(['string', 'interface {}'], 'string', (call, name, data) =>
  call.include(name, data),
);

/**
 * `tpl TEXT DATA`: runs the text as a template. It sees the surrounding templates; they do not see those that it
 * defines.
 */
export const TPL = goFunction(['string', 'interface {}'], 'string', (call, text, data) =>
  call.evaluate(text, data),
);

/** Delimiters of a message for people: Helm shows only the part between them. */
export const WARNING_START = 'HELM_ERR_START';
export const WARNING_END = 'HELM_ERR_END';

function warning(message: string): GoError {
  return new GoError(WARNING_START + message + WARNING_END);
}

/** `required MESSAGE VALUE`: fails for nil or an empty text. */
export const REQUIRED = goFunction(['string', 'interface {}'], 'interface {}', (_call, message, value) => {
  if (value !== null && value !== '') return value;
  throw warning(message);
});

/** `fail MESSAGE`. */
export const FAIL = goFunction(['string'], 'string', (_call, message) => {
  throw warning(message);
});

/** `lookup APIVERSION KIND NAMESPACE NAME`: returns an object of the cluster, or a list, or an empty map. */
export const LOOKUP: GoFunction = goFunction(
  ['string', 'string', 'string', 'string'],
  'map[string]interface {}',
  (call, apiVersion, kind, namespace, name) => {
    const found = call.lookup(apiVersion, kind, namespace, name);
    return found ?? nilMap();
  },
);

/** Never resolves names: Helm does not either by default. */
export const GET_HOST_BY_NAME = goFunction(['string'], 'string', () => '');
