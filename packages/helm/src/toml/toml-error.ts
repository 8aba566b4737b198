import { quote } from '../value/quote.ts';

/** Invalid TOML; the message is that of github.com/BurntSushi/toml 1.6. */
export class TomlError extends Error {
  override readonly name = 'TomlError';

  constructor(problem: string, line: number, lastKey: string) {
    super(`toml: line ${line}${lastKey === '' ? '' : ` (last key ${quote(lastKey)})`}: ${problem}`);
  }
}
