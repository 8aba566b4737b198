import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { LogtoolError } from '../messages/logtool-error.ts';

/** Formats what, why and what next, one per line, without control sequences for a terminal. */
export function errorText(error: LogtoolError): string {
  const lines = [
    ...labeled('error:', error.what),
    ...labeled('  why:', error.why),
    ...labeled('  next:', error.next),
  ];
  return `${lines.join('\n')}\n`;
}

/** Keeps further lines (a caret under the wrong character), and indents them like the first. */
function labeled(label: string, text: string | undefined): string[] {
  if (text === undefined || text === '') return [];
  const indent = ' '.repeat(label.length + 1);
  return text.split('\n').map((line, index) => (index === 0 ? `${label} ` : indent) + sanitizeText(line));
}

/** Formats everything known of an error, for --debug: its stack and those of its causes. */
export function debugText(error: unknown): string {
  const lines: string[] = [];
  let current: unknown = error;
  for (let depth = 0; current instanceof Error && depth < 8; depth++) {
    const stack = current.stack ?? `${current.name}: ${current.message}`;
    lines.push(
      ...stack.split('\n').map((line, index) => (depth > 0 && index === 0 ? `caused by: ${line}` : line)),
    );
    current = current.cause;
  }
  return lines.map((line) => `debug: ${maskSecrets(sanitizeText(line))}\n`).join('');
}

/** Masks bearer tokens, JSON web tokens and passwords in URLs, anywhere in a text. */
export function maskSecrets(text: string): string {
  return text
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 ***')
    .replace(/[\w.-]+/g, maskToken)
    .replace(/(\/\/[^/\s:@]*):[^/\s@]+@/g, '$1:***@')
    .replace(/\b((?:access_|id_|refresh_)?token|password|client_secret)=[^&\s]+/gi, '$1=***');
}

/** Masks a JSON web token at the end of a word. Scans once: a pattern would restart at each of many `eyJ`. */
function maskToken(text: string): string {
  const start = text.search(/\beyJ[\w-]/);
  if (start < 0 || !/\.[\w-]/.test(text.slice(start))) return text;
  return `${text.slice(0, start)}***`;
}
