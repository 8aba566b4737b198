import { type CredentialForm, form } from './credential-form.ts';
import { isPlaceholder, isSentence } from './ordinary-values.ts';

const SUFFIX = String.raw`(?:[_.-]?(?:\d{1,3}|value|old|new|current|previous))?`;
/** A further word, unless it is the name of the next value. */
const MORE = String.raw`(?: (?![\w.-]{1,64}[=:])[A-Za-z0-9'-]{1,32}){2,31}`;
const WORDS = String.raw`[A-Za-z0-9'-]{2,32}${MORE}`;

/** Words of sentences about a passphrase, which no list of random words has, or few of them. */
const FUNCTION_WORD =
  /^(?:an?|the|is|are|was|were|be|been|for|of|to|in|on|at|by|from|with|without|and|or|not|no|if|it|its|that|than|has|have|had|will|can|could|would|may|must|should|does|did|do|so|as|when|while|after|before|because|failed|failure|errors?|wrong|invalid|incorrect|bad|again|attempts?|unable|cannot|tried|trying|retry|retrying|locked|logged|authenticated|authentication|decrypt\w*|load\w*|read\w*|using|used|requested|requires?|skipping|ignored)$/i;

/** Whether words are a passphrase instead of a sentence about one. */
function isPhrase(text: string): boolean {
  const words = text.split(' ').slice(0, 4);
  return (
    !isPlaceholder(words[0] ?? '') && !isSentence(text) && !words.some((word) => FUNCTION_WORD.test(word))
  );
}

/** Passphrases of several words without quotes, up to the end of the words. */
export const PASSPHRASES: readonly CredentialForm[] = [
  form(
    'password',
    ['phrase', 'seed'],
    new RegExp(
      String.raw`(?<keep>(?:pass[ _-]?phrase|(?:seed|recovery|mnemonic|backup)[ _-]?(?:phrase|words))${SUFFIX}\s{0,4}(?::=|=>|->|=|:)\s{0,4})${WORDS}`,
      'gi',
    ),
    isPhrase,
  ),
  // After a colon, a sentence about the password follows as often.
  form(
    'password',
    ['passw', 'passcode'],
    new RegExp(String.raw`(?<keep>(?:password|passwd|passwort|passcode)${SUFFIX}=)${WORDS}`, 'gi'),
    isPhrase,
  ),
];
