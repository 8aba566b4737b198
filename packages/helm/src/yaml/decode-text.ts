import { bytesToText } from '../value/bytes.ts';
import { YamlError } from './yaml-error.ts';

/**
 * Decodes a YAML file, whose first bytes show whether it is UTF-16, as some editors write it; otherwise UTF-8
 * (https://yaml.org/spec/1.1/#id868742). Invalid UTF-8 stays as lone surrogates, which the parser refuses.
 * @throws YamlError worded as go-yaml's reader
 */
export function decodeYamlText(bytes: Uint8Array): string {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff;
  if (!isLittle && !isBig) return bytesToText(bytes);
  if (bytes.length % 2 === 1) throw new YamlError('yaml: incomplete UTF-16 character');
  const units = Buffer.from(bytes.subarray(2));
  const text = (isLittle ? units : units.swap16()).toString('utf16le');
  const lone = /\p{Surrogate}/u.exec(text);
  if (lone === null) return text;
  if (lone[0] >= '\udc00') throw new YamlError('yaml: unexpected low surrogate area');
  const isLast = lone.index === text.length - 1;
  throw new YamlError(`yaml: ${isLast ? 'incomplete UTF-16 surrogate pair' : 'expected low surrogate area'}`);
}
