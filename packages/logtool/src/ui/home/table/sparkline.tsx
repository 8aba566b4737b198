const BAR = 3;
const PITCH = 4;
const HEIGHT = 18;

interface SparklineProps {
  /** Lines of each minute, oldest first, and the errors among them. */
  readonly lines: readonly number[];
  readonly errors: readonly number[];
}

/** Lines per minute as bars, with errors stacked on top in their color, and a text for screen readers. */
export function Sparkline({ lines, errors }: SparklineProps) {
  const paths = sparklinePaths(lines, errors);
  return (
    <svg
      className="spark"
      role="img"
      aria-label={describeActivity(lines, errors)}
      width={lines.length * PITCH}
      height={HEIGHT}
    >
      <path className="spark-lines" d={paths.lines} />
      <path className="spark-errors" d={paths.errors} />
    </svg>
  );
}

/**
 * Returns bars as paths. A minute with lines has a bar of at least one pixel, and so has a minute with
 * errors.
 */
export function sparklinePaths(
  lines: readonly number[],
  errors: readonly number[],
): { readonly lines: string; readonly errors: string } {
  const most = Math.max(1, ...lines);
  let linePath = '';
  let errorPath = '';
  for (const [index, count] of lines.entries()) {
    if (count <= 0) continue;
    const height = Math.max(1, Math.round((count / most) * HEIGHT));
    const failed = Math.min(count, errors[index] ?? 0);
    const errorHeight = failed <= 0 ? 0 : Math.max(1, Math.round((failed / count) * height));
    const x = index * PITCH;
    if (errorHeight > 0) errorPath += bar(x, HEIGHT - height, errorHeight);
    if (height > errorHeight) linePath += bar(x, HEIGHT - height + errorHeight, height - errorHeight);
  }
  return { lines: linePath, errors: errorPath };
}

const bar = (x: number, y: number, height: number) => `M${x} ${y}h${BAR}v${height}h-${BAR}z`;

/** Returns `Last 30 minutes: 1,204 lines, 31 errors, at most 88 lines in a minute`. */
export function describeActivity(lines: readonly number[], errors: readonly number[]): string {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const total = sum(lines);
  const failed = sum(errors);
  const text = (count: number, noun: string) =>
    `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
  const span = `Last ${text(lines.length, 'minute')}`;
  if (total === 0) return `${span}: no lines`;
  const errorText = failed === 0 ? 'no errors' : text(failed, 'error');
  return `${span}: ${text(total, 'line')}, ${errorText}, at most ${text(Math.max(...lines), 'line')} in a minute`;
}
