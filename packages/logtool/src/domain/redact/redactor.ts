import { spansOfForms } from './credential-forms.ts';
import { decodedTexts } from './decode-escapes.ts';
import { spansOfNames } from './named-secrets.ts';
import { beginsPrivateKey, PrivateKeyLines } from './private-key.ts';
import { type SecretSpan, spansOf, spansOfKinds } from './secret-kinds.ts';

/** A text without its secrets, and the kind of each masked secret. */
export interface RedactedText {
  readonly text: string;
  readonly kinds: readonly string[];
}

/**
 * Masks secrets in lines of logs: tokens, keys and passwords by their own form, by the name of their value, or by their
 * surroundings. It recognizes forms and does not know secrets: it keeps a password inside a plain sentence.
 */
export class Redactor {
  /** By container, because lines of several containers interleave. */
  readonly #keys = new Map<string, PrivateKeyLines>();

  /**
   * Returns the text with `[redacted KIND]` in place of each secret. Takes time in proportion to the text.
   *
   * @param stream - the container whose lines may together be one private key; undefined: the text is independent
   * @param limit - UTF-16 units of the text to show; the text after them only completes secrets that begin earlier
   */
  redact(text: string, stream?: string, limit = text.length): RedactedText {
    let shown = '';
    let at = 0;
    const kinds: string[] = [];
    const spans = [...this.#keyLines(text, stream), ...findSecrets(text), ...findEscapedSecrets(text)];
    for (const { start, end, kind } of merged(spans)) {
      if (start >= limit) break;
      shown += `${text.slice(at, start)}[redacted ${kind}]`;
      kinds.push(kind);
      at = end;
    }
    return { text: shown + text.slice(at, Math.max(at, limit)), kinds };
  }

  #keyLines(text: string, stream: string | undefined): readonly SecretSpan[] {
    if (stream === undefined)
      return text.split('\n').length > 1 ? keysOf(text) : new PrivateKeyLines().take(text);
    const lines = this.#keys.get(stream) ?? new PrivateKeyLines();
    this.#keys.set(stream, lines);
    return lines.take(text);
  }
}

/** Finds private keys in a text of several lines. */
function keysOf(text: string): readonly SecretSpan[] {
  const lines = new PrivateKeyLines();
  let from = 0;
  return text.split('\n').flatMap((line) => {
    const spans = lines
      .take(line)
      .map(({ start, end, kind }) => ({ start: from + start, end: from + end, kind }));
    from += line.length + 1;
    return spans;
  });
}

/** The secret of an AWS access key has no form of its own: logtool searches for it only next to the key's ID. */
const AWS_SECRET =
  /(?<![A-Za-z0-9+/=])(?=[A-Za-z0-9+/]{0,39}[A-Z])(?=[A-Za-z0-9+/]{0,39}[a-z])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g;

/** Finds the secrets of one text, which may overlap. */
function findSecrets(text: string): readonly SecretSpan[] {
  const lower = text.toLowerCase();
  const byKind = spansOfKinds(text, lower);
  const aws = byKind.some(({ kind }) => kind === 'aws-access-key')
    ? spansOf(text, 'aws-secret-key', AWS_SECRET)
    : [];
  return [...byKind, ...aws, ...spansOfForms(text, lower), ...spansOfNames(text)];
}

/**
 * Finds the secrets that escapes hide: `"first\\nghp_..."`, `password\\u003d...`, `%26sig%3D...`. A text is read as it
 * stands too, because what looks like an escape may be none: `C:\\new`.
 */
function findEscapedSecrets(text: string): readonly SecretSpan[] {
  return decodedTexts(text).flatMap((level) =>
    [...(beginsPrivateKey(level.text) ? keysOf(level.text) : []), ...findSecrets(level.text)].map(
      level.original,
    ),
  );
}

/** Sorts the spans and merges overlapping ones; the first gives the kind. */
function merged(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const result: SecretSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end };
  }
  return result;
}
