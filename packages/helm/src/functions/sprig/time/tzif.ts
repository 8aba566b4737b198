/** A zone's name and offset at some instant. */
export interface ZoneAt {
  /** Such as `CET`; empty if the zone has none. */
  readonly name: string;
  readonly offsetSeconds: number;
}

/** The changes of a zone's clocks. */
export interface ZoneTable {
  readonly transitions: readonly { readonly from: bigint; readonly zone: ZoneAt }[];
  /** The zone before the first transition. */
  readonly first: ZoneAt;
  /** Whether a rule applies after the last transition. */
  readonly goesOn: boolean;
}

const HEADER = 44;

/** Reads a file of the tz database (RFC 9636); undefined for other files. */
export function readTzif(bytes: Buffer): ZoneTable | undefined {
  if (bytes.length < HEADER || bytes.toString('latin1', 0, 4) !== 'TZif') return undefined;
  const isOld = bytes[4] === 0;
  const from = isOld ? 0 : HEADER + bodyLength(bytes, 0, 4);
  const width = isOld ? 4 : 8;
  if (from + HEADER + bodyLength(bytes, from, width) > bytes.length) return undefined;
  return readBody(bytes, from, width);
}

function counts(bytes: Buffer, header: number) {
  const at = (index: number) => bytes.readUInt32BE(header + 20 + index * 4);
  return { utc: at(0), standard: at(1), leaps: at(2), times: at(3), types: at(4), characters: at(5) };
}

function bodyLength(bytes: Buffer, header: number, width: number): number {
  if (header + HEADER > bytes.length) return Number.POSITIVE_INFINITY;
  const { utc, standard, leaps, times, types, characters } = counts(bytes, header);
  return times * (width + 1) + types * 6 + characters + leaps * (width + 4) + standard + utc;
}

function readBody(bytes: Buffer, header: number, width: number): ZoneTable | undefined {
  const { times, types, characters } = counts(bytes, header);
  const start = header + HEADER;
  const typesAt = start + times * (width + 1);
  const names = bytes.toString('latin1', typesAt + types * 6, typesAt + types * 6 + characters);
  const zones = Array.from({ length: types }, (_, index): ZoneAt => {
    const name = names.slice(bytes[typesAt + index * 6 + 5]!);
    return { offsetSeconds: bytes.readInt32BE(typesAt + index * 6), name: name.slice(0, name.indexOf('\0')) };
  });
  const [first] = zones;
  if (first === undefined) return undefined;
  const transitions = Array.from({ length: times }, (_, index) => ({
    from:
      width === 8 ? bytes.readBigInt64BE(start + index * 8) : BigInt(bytes.readInt32BE(start + index * 4)),
    zone: zones[bytes[start + times * width + index]!] ?? first,
  }));
  const rule = bytes.toString('latin1', header + HEADER + bodyLength(bytes, header, width));
  return { transitions, first, goesOn: times > 0 && rule.includes(',') };
}
