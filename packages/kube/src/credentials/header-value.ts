import { kubeFailure } from '../values/failures.ts';

/**
 * The text as node:http sends it in UTF-8. Throws CodedError `bad-credentials` for what no header can hold
 * (RFC 9110 section 5.5): a token that was pasted with its line break, say.
 */
export function headerValue(field: string, text: string, file?: string): string {
  if (/[\0-\x08\x0a-\x1f\x7f]/.test(text))
    throw kubeFailure('bad-credentials', file === undefined ? { field } : { field, file });
  return Buffer.from(text, 'utf8').toString('latin1');
}
