import { LogtoolError } from '../values/errors.ts';

/**
 * The text as node:http sends it in UTF-8. Throws LogtoolError `bad-credentials` for what no header can hold
 * (RFC 9110 section 5.5): a token that was pasted with its line break, say.
 */
export function headerValue(what: string, text: string): string {
  if (/[\0-\x08\x0a-\x1f\x7f]/.test(text)) {
    throw new LogtoolError({
      code: 'bad-credentials',
      what: `the ${what} cannot be sent`,
      why: 'it has a line break or another control character in it',
      next: 'correct the kubeconfig',
    });
  }
  return Buffer.from(text, 'utf8').toString('latin1');
}
