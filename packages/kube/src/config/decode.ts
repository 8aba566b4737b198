import { field, isPlainObject, kindOf, objectField, objectListField, textField } from './fields.ts';
import { InvalidField, withinField } from './invalid-field.ts';
import type { Entry, Kubeconfig, Plain } from './kubeconfig.ts';

/**
 * A kubeconfig from the document of one file. Keeps fields of entries unchecked until the entry is used, so
 * that a mistake in another cluster's entry does no harm. Throws InvalidField.
 */
export function decodeKubeconfig(document: Plain, file: string): Kubeconfig {
  if (document === null) {
    return { files: [file], currentContext: '', clusters: new Map(), users: new Map(), contexts: new Map() };
  }
  if (!isPlainObject(document)) throw new InvalidField([], `should be an object, not ${kindOf(document)}`);
  const kind = textField(document, 'kind');
  if (kind !== '' && kind !== 'Config') throw new InvalidField(['kind'], `should be Config, not ${kind}`);
  const version = textField(document, 'apiVersion');
  if (version !== '' && version !== 'v1')
    throw new InvalidField(['apiVersion'], `should be v1, not ${version}`);
  return {
    files: [file],
    currentContext: textField(document, 'current-context'),
    clusters: entries('clusters', 'cluster'),
    users: entries('users', 'user'),
    contexts: entries('contexts', 'context'),
  };

  function entries(list: string, singular: string): Map<string, Entry> {
    const found = new Map<string, Entry>();
    objectListField(document as { [key: string]: Plain }, list).forEach((item, index) => {
      const at = [list, index];
      const name = withinField(at, () => textField(item, 'name'));
      if (found.has(name)) throw new InvalidField([...at, 'name'], `is ${name}, as an entry before it`);
      if (field(item, singular) === undefined && name === '') return;
      const fields = withinField(at, () => objectField(item, singular));
      found.set(name, { name, fields, file, path: [...at, singular] });
    });
    return found;
  }
}
