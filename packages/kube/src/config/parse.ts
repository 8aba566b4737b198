import { unfoldsBeyond } from '../yaml/unfolded.ts';
import { invalidKubeconfig } from './invalid.ts';
import type { Plain } from './kubeconfig.ts';

/** Line ends and the characters with a meaning in YAML or JSON. A base64 certificate contains none of them. */
const MARKS = signs('\n\r,[]{}#&*!|>\'"%@`');
/** These have a meaning only before a blank or another mark: names such as `arn:aws:eks:eu-west-1` are full of them. */
const MARKS_BEFORE_BLANKS = signs('-?:');
const BLANKS = signs(' \t\n\r,[]{}-');

/** Limit of values after aliases are expanded: far above any kubeconfig, far below what fills the memory. */
const MAX_UNFOLDED_VALUES = 200_000;

/**
 * Far above any real need: 3,000 clusters with a plugin for each user. A parser takes half a second for this many
 * marks; a 10 MB file made to be slow holds forty times as many.
 */
const MARK_LIMIT = 250_000;

/**
 * Parses the first document of a YAML or JSON text; returns null if the text is blank. Reads JSON without loading the
 * YAML library. Throws CodedError `kubeconfig-invalid` with the line.
 */
export async function parseKubeconfigText(bytes: Uint8Array, file: string): Promise<Plain> {
  const text = decode(bytes, file);
  if (text.trim() === '') return null;
  if (countMarks(text, MARK_LIMIT) > MARK_LIMIT) {
    throw invalidKubeconfig(file, undefined, { code: 'too-many-marks', data: {} });
  }
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text) as Plain;
    } catch {
      // YAML's flow style also begins with a brace. The code below reports text that is neither, with its line.
    }
  }
  return parseYaml(text, file);
}

async function parseYaml(text: string, file: string): Promise<Plain> {
  const { loadAll, CORE_SCHEMA, mergeTag, YAMLException } = await import('js-yaml');
  let document: Plain;
  try {
    // For a repeated key, the last one wins, as in kubectl.
    const options = { schema: CORE_SCHEMA.withTags(mergeTag), json: true, maxAliases: 1000 };
    document = (loadAll(text, options)[0] ?? null) as Plain;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw invalidKubeconfig(file, undefined, String(error), error);
    const line = error.mark === undefined ? undefined : error.mark.line + 1;
    throw invalidKubeconfig(file, line, error.reason, error);
  }
  if (text.includes('*') && unfoldsBeyond(document, MAX_UNFOLDED_VALUES)) {
    throw invalidKubeconfig(file, undefined, { code: 'aliases-unfold', data: {} });
  }
  return document;
}

function decode(bytes: Uint8Array, file: string): string {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    // PowerShell's `>` writes UTF-16. kubectl cannot read it, and its error does not help.
    if (utf16) return new TextDecoder('utf-16le', { fatal: true }).decode(bytes);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw invalidKubeconfig(file, lineOfBadUtf8(bytes), { code: 'not-utf8', data: {} }, error);
  }
}

/** Returns the first line whose bytes are not UTF-8. */
function lineOfBadUtf8(bytes: Uint8Array): number | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let line = 1, start = 0; start <= buffer.length; line++) {
    const end = buffer.indexOf(10, start);
    const stop = end < 0 ? buffer.length : end;
    try {
      decoder.decode(buffer.subarray(start, stop));
    } catch {
      return line;
    }
    start = stop + 1;
  }
  return undefined;
}

/**
 * Estimates a YAML parser's work for a text, within a constant factor: bytes cost it almost nothing compared with
 * nodes. Stops counting above `most`.
 */
function countMarks(text: string, most: number): number {
  let count = 0;
  for (let at = 0; at < text.length && count <= most; at++) {
    const sign = text.charCodeAt(at);
    if (MARKS.has(sign) || (MARKS_BEFORE_BLANKS.has(sign) && BLANKS.has(text.charCodeAt(at + 1)))) count++;
  }
  return count;
}

function signs(text: string): ReadonlySet<number> {
  return new Set(Array.from(text, (sign) => sign.charCodeAt(0)));
}
