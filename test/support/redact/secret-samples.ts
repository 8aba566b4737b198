import { credentialForms } from './credential-forms.ts';
import { issuedTokens } from './issued-tokens.ts';
import { namedValues } from './named-values.ts';
import type { Random } from './random.ts';
import { type SecretSample, writtenSecrets } from './written-secrets.ts';

/** Returns one secret of each kind. Fixed texts are split, so that no scanner takes these files for a leak. */
export function secretSamples(random: Random): readonly SecretSample[] {
  return [
    ...issuedTokens(random),
    ...namedValues(random),
    ...credentialForms(random),
    ...writtenSecrets(random),
  ];
}
