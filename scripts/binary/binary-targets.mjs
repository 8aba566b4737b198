// The platforms of single executables, with the Bun runtime of each.

/** The version of Bun. A new version needs its licenses first: `scripts/binary/licenses-of-bun/VERSION.txt`. */
export const BUN = '1.4.5';

/**
 * One row per platform. `name` is the value of `--target` and part of file names; `runtime` is the npm package below
 * `@oven/`; `integrity` is the digest in npm's registry for the version above; `format` and `machine` match the header
 * of the executable. Bun has no runtime for other processors.
 *
 * @type {readonly import('./binary-targets.mjs').BinaryTarget[]}
 */
export const TARGETS = [
  {
    name: 'linux-x64',
    runtime: 'bun-linux-x64',
    integrity:
      'sha512-IWX9BELoGHAUtMonkeSaNaZwXzRk+oDw6Mk+HBFXd3KHYIBNBsIGRupMZPcgNoDbJpLu6gAJjIoIVPZtt1aJ1g==',
    format: 'ELF',
    machine: 'x64',
  },
  {
    name: 'linux-arm64',
    runtime: 'bun-linux-aarch64',
    integrity:
      'sha512-4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==',
    format: 'ELF',
    machine: 'arm64',
  },
  {
    name: 'linux-x64-musl',
    runtime: 'bun-linux-x64-musl',
    integrity:
      'sha512-10QoW/YfTgnURaGEaHpJCiXjLI2e5iTtfVDaA5JKcyUzaa1cq6cVUY9/Uq5XkYzvtRjHLRe9Oj/lTDIQcxy8HQ==',
    format: 'ELF',
    machine: 'x64',
  },
  {
    name: 'linux-arm64-musl',
    runtime: 'bun-linux-aarch64-musl',
    integrity:
      'sha512-XCNc+WvvMAdNNb+OWTogpy+N9wm62fkVeEVLb6how0RZhW5LPi6c7BlkeVCuWps7XjEl2saFpHFa20/1E+PAHg==',
    format: 'ELF',
    machine: 'arm64',
  },
  {
    name: 'darwin-x64',
    runtime: 'bun-darwin-x64',
    integrity:
      'sha512-qkLPMGHZM9NI6CeHTWwVezzmlo6cC4Ta7yUAjYIWXS366qQcOlcp75t2uZyiuVRBMPS0h9qE0tCcvCHGaFqjJg==',
    format: 'Mach-O',
    machine: 'x64',
  },
  {
    name: 'darwin-arm64',
    runtime: 'bun-darwin-aarch64',
    integrity:
      'sha512-4MIFXHmctH2EhAxLXm2/qxNtv17dFtLJylvaOCsrgq6KSqHTs6eW5YSrJjRbJxYUJaR901fsN8JfZOa+CsWpWQ==',
    format: 'Mach-O',
    machine: 'arm64',
  },
  {
    name: 'windows-x64',
    runtime: 'bun-windows-x64',
    integrity:
      'sha512-FNvply651vcE/GHgNWz6mZvhmkwBuu8Hw54oNzA+CQog+HW+542rXQmZqNHRkFxazD9L3xi+iTtvO3engAgJfw==',
    format: 'PE',
    machine: 'x64',
  },
  {
    name: 'windows-arm64',
    runtime: 'bun-windows-aarch64',
    integrity:
      'sha512-MiPFZnBNDnBXgr1oONc5pizC4fOLjnIOfNkYdFEnWzLmoFTg86naZIG3SvS7d/GglpQSAnCKMAzSjI/TAckiRw==',
    format: 'PE',
    machine: 'arm64',
  },
];

/** Returns the row with a name. Throws an error that lists the names. */
export function findTarget(name) {
  const target = TARGETS.find((row) => row.name === name);
  if (target !== undefined) return target;
  const names = TARGETS.map((row) => row.name).join(', ');
  throw new Error(`no executable can be made for ${name}: Bun ${BUN} has runtimes for ${names}`);
}

/** Returns the row of this machine. Throws if Bun has no runtime for it. */
export function hostTarget(host = process) {
  const system = host.platform === 'win32' ? 'windows' : host.platform;
  return findTarget(`${system}-${host.arch}${isMusl(host) ? '-musl' : ''}`);
}

/** Returns the file name of the executable for a target. */
export function executableName({ name, format }) {
  return `logtool-${name}${format === 'PE' ? '.exe' : ''}`;
}

/** Returns the file name of the archive for a target: zip for Windows, tar for the others. */
export function archiveName({ name, format }) {
  return `logtool-${name}${format === 'PE' ? '.zip' : '.tar.gz'}`;
}

/** Node reports its version of glibc, but with musl it reports none. */
function isMusl({ platform, report }) {
  return platform === 'linux' && report.getReport().header.glibcVersionRuntime === undefined;
}
