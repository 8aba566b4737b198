import { defaultOf } from '../flags/table.ts';
import { badValue } from '../messages/errors.ts';
import type { Settings } from '../settings/settings.ts';

/** Returns the port, and whether logtool may choose another. */
export function planPort(settings: Settings<'serve' | 'demo'>): {
  readonly port: number;
  readonly mayMove: boolean;
} {
  const port = settings.value('port');
  const setting = settings.first('port');
  if (setting === undefined) return { port, mayMove: true };
  // A file that `config init` wrote also contains the default: the user did not choose it.
  const isDefault = settings.isFromFile('port') && port === defaultOf('serve', 'port');
  if (port <= MAX_PORT) return { port, mayMove: isDefault };
  throw badValue('bad-port', setting, { max: MAX_PORT, next: 'write --port=8080, or --port=0 for any' });
}

export const MAX_PORT = 65_535;
