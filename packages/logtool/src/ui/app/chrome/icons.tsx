/** Drawn rather than written: the glyphs are in no shipped font, and other fonts draw them each in their own way. */
const LINES = {
  chevron: 'M3 5l3 3 3-3',
  return: 'M10 3v3.5H2.5M5 4L2.5 6.5 5 9',
  close: 'M3 3l6 6M9 3l-6 6',
  check: 'M2 6.5L5 9.5l5-7',
  dash: 'M2.5 6h7',
  menu: 'M1.5 3h9M1.5 6h9M1.5 9h9',
  down: 'M6 2v8M3 7l3 3 3-3',
  stop: 'M4 1.5h4L10.5 4v4L8 10.5H4L1.5 8V4zM4.5 4.5l3 3M7.5 4.5l-3 3',
  restart: 'M10 6a4 4 0 1 1-1.2-2.8M10 1.5v2.2H7.8',
  rollout: 'M1.5 4h6M5.5 2l2 2-2 2M4.5 8h6M8.5 6l2 2-2 2',
  alert: 'M6 1.5L11 10.5H1zM6 4.8v2.4M6 8.8v.1',
  happening: 'M6 1.5L10.5 6 6 10.5 1.5 6z',
} as const;
const SHAPES = {
  more: 'M2 5h1.6v1.6H2zM5.2 5h1.6v1.6H5.2zM8.4 5H10v1.6H8.4z',
  theme: 'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1zm.5 1a4 4 0 0 1 0 8z',
} as const;

export type IconName = keyof typeof LINES | keyof typeof SHAPES;

interface IconProps {
  readonly name: IconName;
  /** px */
  readonly size?: number;
}

export function Icon({ name, size = 12 }: IconProps) {
  // biome-ignore-start lint/a11y/noSvgWithoutTitle: decoration; the button says what it does
  const common = {
    className: 'icon',
    width: size,
    height: size,
    viewBox: '0 0 12 12',
    'aria-hidden': true,
  } as const;
  if (name in SHAPES) {
    return (
      <svg {...common} fill="currentColor">
        <path d={SHAPES[name as keyof typeof SHAPES]} />
      </svg>
    );
  }
  return (
    <svg
      {...common}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={LINES[name as keyof typeof LINES]} />
    </svg>
  );
}
// biome-ignore-end lint/a11y/noSvgWithoutTitle: decoration; the button says what it does
