import { findNameFault } from '../../domain/names.ts';
import { badValue } from '../messages/errors.ts';
import type { Setting } from '../settings/setting.ts';
import type { Settings } from '../settings/settings.ts';

/** Returns the namespaces of --allowed-namespaces; empty: every one. */
export function planAllowedNamespaces(settings: Settings<'serve' | 'agent' | 'api'>): readonly string[] {
  const given = settings.first('allowed-namespaces') ?? { written: '--allowed-namespaces' };
  return expectNamespaces(settings.value('allowed-namespaces'), given);
}

/** Returns names of namespaces. Throws a CliError for one that no namespace can have. `written`: where they are given. */
export function expectNamespaces(
  names: readonly string[],
  { written }: Pick<Setting, 'written'>,
): readonly string[] {
  for (const name of names) {
    const fault = findNameFault(name, 'label');
    if (fault !== undefined) throw badValue('bad-namespace', { value: name, written }, fault);
  }
  return names;
}
