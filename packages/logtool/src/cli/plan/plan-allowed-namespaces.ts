import { findNameFault } from '../../domain/names.ts';
import { badValue } from '../messages/errors.ts';
import type { Settings } from '../settings/settings.ts';

/** Returns the namespaces of --allowed-namespaces; empty: every one. */
export function planAllowedNamespaces(settings: Settings<'serve' | 'agent'>): readonly string[] {
  const names = settings.value('allowed-namespaces');
  for (const name of names) {
    const fault = findNameFault(name, 'label');
    if (fault === undefined) continue;
    const { written } = settings.first('allowed-namespaces') ?? { written: '--allowed-namespaces' };
    throw badValue('bad-namespace', { value: name, written }, fault);
  }
  return names;
}
