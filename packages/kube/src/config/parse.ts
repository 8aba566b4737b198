import { unfoldsBeyond } from '../yaml/unfolded.ts';
import { countMarks } from './count-marks.ts';
import { invalidKubeconfig } from './invalid.ts';
import type { Plain } from './kubeconfig.ts';

/** What an alias-ridden document may unfold to: far above any kubeconfig, far below what fills the memory. */
const MAX_UNFOLDED_VALUES = 200_000;

/**
 * Far above any real need: 3,000 clusters with a plugin for each user. A parser takes half a second for this
 * many marks; a 10 MB file made to be slow holds forty times as many.
 */
const MARK_LIMIT = 250_000;

/**
 * The first document of a YAML or JSON text; null if there is none. Throws CodedError `kubeconfig-invalid` with
 * the line. JSON is read without loading the YAML library.
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
      // YAML's flow style also begins with a brace; the code below reports text that is neither, with its
      // line.
    }
  }
  return parseYaml(text, file);
}

async function parseYaml(text: string, file: string): Promise<Plain> {
  const { loadAll, CORE_SCHEMA, mergeTag, YAMLException } = await import('js-yaml');
  let document: Plain;
  try {
    // Doubled keys: the last one wins, as in kubectl.
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
    // PowerShell's `>` writes UTF-16; kubectl cannot read it, and says nothing helpful.
    if (utf16) return new TextDecoder('utf-16le', { fatal: true }).decode(bytes);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw invalidKubeconfig(file, lineOfBadUtf8(bytes), { code: 'not-utf8', data: {} }, error);
  }
}

/** The first line whose bytes are no UTF-8. */
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
