import { type SecretSpan, spansOf } from './secret-kinds.ts';

/** A secret recognizable by its surroundings. */
export interface CredentialForm {
  /** Like those of SecretKind. */
  readonly hints: readonly string[];
  readonly find: (text: string) => readonly SecretSpan[];
}

/**
 * Returns the form of a pattern, whose group `keep` is not masked.
 *
 * @param isSecret - judges what would be masked, where ordinary values have the same surroundings
 */
export function form(
  kind: string,
  hints: readonly string[],
  pattern: RegExp,
  isSecret: (value: string) => boolean = () => true,
): CredentialForm {
  return {
    hints,
    find: (text) => spansOf(text, kind, pattern).filter(({ start, end }) => isSecret(text.slice(start, end))),
  };
}
