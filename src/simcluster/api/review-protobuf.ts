import { badRequest } from '../api-error.ts';

/**
 * kubectl posts its reviews as protobuf; this reads these few messages and no others
 * (k8s.io/api/authorization/v1/generated.proto, and the envelope of k8s.io/apimachinery runtime.Unknown).
 */
export function readReviewProtobuf(bytes: Uint8Array): Record<string, unknown> | undefined {
  const magic = [0x6b, 0x38, 0x73, 0x00];
  if (!magic.every((byte, index) => bytes[index] === byte)) return undefined;
  const unknown = readMessage(bytes.subarray(4));
  const type = readMessage(bytesOf(unknown.get(1)));
  const apiVersion = textOf(type.get(1));
  const kind = textOf(type.get(2));
  const review = readMessage(bytesOf(unknown.get(2)));
  const spec = readMessage(bytesOf(review.get(2)));
  switch (kind) {
    case 'SelfSubjectAccessReview':
      return {
        apiVersion,
        kind,
        spec: {
          ...named(spec.get(1), 'resourceAttributes', [
            'namespace',
            'verb',
            'group',
            'version',
            'resource',
            'subresource',
            'name',
          ]),
          ...named(spec.get(2), 'nonResourceAttributes', ['path', 'verb']),
        },
      };
    case 'SelfSubjectRulesReview':
      return { apiVersion, kind, spec: { namespace: textOf(spec.get(1)) } };
    case 'SelfSubjectReview':
      return { apiVersion, kind };
    default:
      return undefined;
  }
}

/** The text fields of a message, numbered from 1 in the order of the names. */
function named(value: Uint8Array | undefined, field: string, names: readonly string[]) {
  if (value === undefined) return {};
  const message = readMessage(value);
  const texts = names
    .map((name, index) => [name, textOf(message.get(index + 1))] as const)
    .filter(([, text]) => text !== '');
  return { [field]: Object.fromEntries(texts) };
}

/** The last value of each length-delimited field; numbers are passed over. */
function readMessage(bytes: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const found = new Map<number, Uint8Array>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes[at];
      if (byte === undefined) throw malformed();
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw malformed();
  };
  while (at < bytes.length) {
    const tag = varint();
    const wire = tag % 8;
    if (wire === 0) varint();
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else if (wire === 2) {
      const length = varint();
      if (at + length > bytes.length) throw malformed();
      found.set(Math.floor(tag / 8), bytes.subarray(at, at + length));
      at += length;
    } else throw malformed();
  }
  return found;
}

function malformed() {
  return badRequest('the object provided is unrecognized: protobuf: malformed message');
}

function bytesOf(value: Uint8Array | undefined): Uint8Array {
  return value ?? new Uint8Array();
}

function textOf(value: Uint8Array | undefined): string {
  return value === undefined ? '' : Buffer.from(value).toString('utf8');
}
