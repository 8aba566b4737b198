const CHUNK_LINES = 400;
const FIRST_MS = Date.UTC(2026, 10, 21, 10);
const TEXT = 'x'.repeat(150);

/** Yields an endless log, one line per millisecond from 10:00 on; each begins with its number. */
export function* endlessLines(): Generator<{ readonly bytes: Uint8Array; readonly count: number }> {
  for (let line = 0; ; line += CHUNK_LINES) {
    const lines = Array.from({ length: CHUNK_LINES }, (_, index) => {
      const number = line + index;
      const second = new Date(FIRST_MS + Math.floor(number / 1000) * 1000).toISOString().slice(0, 19);
      const nanos = String((number % 1000) * 1_000_000).padStart(9, '0');
      return `${second}.${nanos}Z ${number} ${TEXT}\n`;
    });
    yield { bytes: Buffer.from(lines.join('')), count: CHUNK_LINES };
  }
}
