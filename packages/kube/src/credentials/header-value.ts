import { kubeFailure } from '../values/failures.ts';

/**
 * Encodes a text so that node:http sends it as UTF-8. Throws CodedError `bad-credentials` for characters that no header
 * can contain (RFC 9110 section 5.5), such as a line break pasted with a token.
 */
export function headerValue(field: string, text: string, file?: string): string {
  if (/[\0-\x08\x0a-\x1f\x7f]/.test(text))
    throw kubeFailure('bad-credentials', file === undefined ? { field } : { field, file });
  return Buffer.from(text, 'utf8').toString('latin1');
}
