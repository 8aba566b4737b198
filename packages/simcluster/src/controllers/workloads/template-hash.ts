import { fnv32a, NAME_ALPHABET } from '../../generator/random.ts';
import { canonicalJson, type PodTemplate } from '../objects.ts';

const known = new WeakMap<PodTemplate, Map<string, string>>();

/** Returns the suffix that a Deployment gives its ReplicaSets: a hash of the template in letters that form no words. */
export function templateHash(template: PodTemplate, salt = ''): string {
  // Templates in the store are frozen, so their hash never changes.
  const read = Object.isFrozen(template) ? (known.get(template) ?? new Map<string, string>()) : undefined;
  const hash = read?.get(salt) ?? hashOf(template, salt);
  if (read !== undefined) known.set(template, read.set(salt, hash));
  return hash;
}

function hashOf(template: PodTemplate, salt: string): string {
  const digits = String(fnv32a(`${salt}${canonicalJson(template)}`));
  return [...digits].map((digit) => NAME_ALPHABET[digit.charCodeAt(0) % NAME_ALPHABET.length]).join('');
}
