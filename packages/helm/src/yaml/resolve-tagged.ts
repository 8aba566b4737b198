import { resolvePlain, type YamlScalar } from './resolve.ts';
import { YamlError } from './yaml-error.ts';

const LONG_PREFIX = 'tag:yaml.org,2002:';
const RESOLVABLE = new Set(['str', 'bool', 'int', 'float', 'null', 'timestamp']);
const MAX_INT64 = 2n ** 63n - 1n;

/**
 * The value of a scalar with its full tag, `''` for none. Tags that go-yaml does not know change nothing.
 * @throws YamlError when the text is none of what its tag says.
 */
export function resolveTagged(tag: string, text: string): YamlScalar {
  if (tag === '') return resolvePlain(text).value;
  if (!tag.startsWith(LONG_PREFIX)) return text;
  const wanted = tag.slice(LONG_PREFIX.length);
  if (wanted === 'binary') return decodeBinary(text);
  if (!RESOLVABLE.has(wanted) || wanted === 'str') return text;
  const { kind, value } = resolvePlain(text);
  const found = kind === 'timestamp' && wanted !== 'timestamp' ? 'str' : kind;
  if (found === wanted) return value;
  if (wanted === 'float' && found === 'int' && (value as bigint) <= MAX_INT64) return Number(value);
  throw new YamlError(`yaml: cannot decode !!${found} \`${text}\` as a !!${wanted}`);
}

/** Base64 with line breaks. Bytes that are no UTF-8 become U+FFFD, as they do on the way through JSON. */
function decodeBinary(text: string): string {
  const base64 = text.replace(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(base64)) {
    throw new YamlError('yaml: !!binary value contains invalid base64 data');
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(base64, 'base64'));
}
