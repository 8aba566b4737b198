import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { StreamName } from './runtime.ts';

/** Maximum bytes of an entry before its message, plus the newline. */
export const ENTRY_OVERHEAD_BYTES = 48;

const STDOUT = Buffer.from(' stdout ');
const STDERR = Buffer.from(' stderr ');
const NEWLINE = 10;

/** The text of the last written second: neighboring entries in a log mostly share it. */
export interface SecondText {
  seconds: number;
  zoneMinutes: number;
  readonly text: Buffer;
  zone: Buffer;
}

export function emptySecondText(): SecondText {
  return { seconds: Number.NaN, zoneMinutes: 0, text: Buffer.alloc(19), zone: Buffer.from('Z') };
}

/**
 * Writes `TIMESTAMP STREAM TAG MESSAGE\n` at `offset` of `target`, which must have room for the message and
 * ENTRY_OVERHEAD_BYTES, and returns the offset after it. The timestamp is Go's RFC3339Nano, as containerd writes it: it
 * omits trailing zeros of the fraction (and an empty fraction), and uses the runtime's zone.
 */
export function writeEntry(
  target: Buffer,
  offset: number,
  second: SecondText,
  at: Timestamp,
  zoneMinutes: number,
  stream: StreamName,
  partial: boolean,
  message: Uint8Array,
): number {
  if (second.seconds !== at.seconds || second.zoneMinutes !== zoneMinutes) fill(second, at, zoneMinutes);
  target.set(second.text, offset);
  let end = writeFraction(target, offset + 19, at.nanos);
  target.set(second.zone, end);
  end += second.zone.length;
  target.set(stream === 'stderr' ? STDERR : STDOUT, end);
  end += STDOUT.length;
  target[end] = partial ? 80 : 70;
  target[end + 1] = 32;
  target.set(message, end + 2);
  end += 2 + message.length;
  target[end] = NEWLINE;
  return end + 1;
}

function writeFraction(target: Buffer, offset: number, nanos: number): number {
  if (nanos === 0) return offset;
  let digits = 9;
  let rest = nanos;
  while (rest % 10 === 0) {
    rest /= 10;
    digits -= 1;
  }
  target[offset] = 46;
  for (let index = offset + digits; index > offset; index--) {
    target[index] = 48 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  return offset + digits + 1;
}

function fill(second: SecondText, at: Timestamp, zoneMinutes: number): void {
  const local = new Date((at.seconds + zoneMinutes * 60) * 1000).toISOString();
  second.text.write(local.slice(0, 19), 'latin1');
  if (second.zoneMinutes !== zoneMinutes) second.zone = Buffer.from(zoneText(zoneMinutes));
  second.seconds = at.seconds;
  second.zoneMinutes = zoneMinutes;
}

function zoneText(zoneMinutes: number): string {
  if (zoneMinutes === 0) return 'Z';
  const minutes = Math.abs(zoneMinutes);
  const pad = (number: number) => String(number).padStart(2, '0');
  return `${zoneMinutes < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}
