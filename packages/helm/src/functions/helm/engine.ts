import { GoError } from '../../template/errors.ts';
import { type GoFunction, goFunction } from '../../template/function.ts';
import { nilMap } from '../../value/type.ts';

/** `include NAME DATA`: the text of a named template, for a pipeline. */
export const INCLUDE = goFunction(['string', 'interface {}'], 'string', (call, name, data) =>
  call.include(name, data),
);

/** `tpl TEXT DATA`: the text as a template, that sees the templates around it and whose own they do not see. */
export const TPL = goFunction(['string', 'interface {}'], 'string', (call, text, data) =>
  call.evaluate(text, data),
);

/** Marks of a message that is for people: what is between them is all that is shown. */
export const WARNING_START = 'HELM_ERR_START';
export const WARNING_END = 'HELM_ERR_END';

function warning(message: string): GoError {
  return new GoError(WARNING_START + message + WARNING_END);
}

/** `required MESSAGE VALUE`: fails when there is no value, or an empty text. */
export const REQUIRED = goFunction(['string', 'interface {}'], 'interface {}', (_call, message, value) => {
  if (value !== null && value !== '') return value;
  throw warning(message);
});

/** `fail MESSAGE`. */
export const FAIL = goFunction(['string'], 'string', (_call, message) => {
  throw warning(message);
});

/** `lookup APIVERSION KIND NAMESPACE NAME`: an object of the cluster, or a list of them, or an empty map. */
export const LOOKUP: GoFunction = goFunction(
  ['string', 'string', 'string', 'string'],
  'map[string]interface {}',
  (call, apiVersion, kind, namespace, name) => {
    const found = call.lookup(apiVersion, kind, namespace, name);
    return found ?? nilMap();
  },
);

/** Templates resolve no names: by default Helm does not either. */
export const GET_HOST_BY_NAME = goFunction(['string'], 'string', () => '');
