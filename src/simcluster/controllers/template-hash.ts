import { fnv32a, NAME_ALPHABET } from '../generator/random.ts';
import { canonicalJson, type PodTemplate } from './objects.ts';

/** The suffix that a Deployment gives its ReplicaSets: a hash of the template in letters that spell no words. */
export function templateHash(template: PodTemplate, salt = ''): string {
  const digits = String(fnv32a(`${salt}${canonicalJson(template)}`));
  return [...digits].map((digit) => NAME_ALPHABET[digit.charCodeAt(0) % NAME_ALPHABET.length]).join('');
}
