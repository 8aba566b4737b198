/** Drawn as paths: no shipped font has these glyphs, and other fonts draw them differently. */
const LINES = {
  chevron: 'M3 5l3 3 3-3',
  return: 'M10 3v3.5H2.5M5 4L2.5 6.5 5 9',
  close: 'M3 3l6 6M9 3l-6 6',
  check: 'M2 6.5L5 9.5l5-7',
  dash: 'M2.5 6h7',
  menu: 'M1.5 3h9M1.5 6h9M1.5 9h9',
  down: 'M6 2v8M3 7l3 3 3-3',
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
  if (!(name in SHAPES)) return <LineIcon path={LINES[name as keyof typeof LINES]} size={size} />;
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: decoration; the button says what it does
    <svg {...frameOf(size)} fill="currentColor">
      <path d={SHAPES[name as keyof typeof SHAPES]} />
    </svg>
  );
}

/** Draws a line on a grid of 12 by 12. */
export function LineIcon({ path, size = 12 }: { readonly path: string; readonly size?: number }) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: decoration; the text beside it says what it is
    <svg
      {...frameOf(size)}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={path} />
    </svg>
  );
}

function frameOf(size: number) {
  return {
    className: 'icon',
    width: size,
    height: size,
    viewBox: '0 0 12 12',
    'aria-hidden': true,
  } as const;
}
