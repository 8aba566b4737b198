const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes for people: `812 B`, `45.2 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes / 1000;
  let unit = 0;
  // 999.95 would be shown as 1000.0 of the smaller unit.
  while (value >= 999.95 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(1)} ${UNITS[unit]}`;
}
