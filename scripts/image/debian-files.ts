import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { debianFile } from './debian-archive.ts';
import type { ImageFile } from './image-file.ts';
import type { DebianPackage, Lock, Platform } from './lock.ts';
import { runTool } from './run-tool.ts';

/** The Debian release, the same as that of the Dockerfile's bases. */
export const SUITE = 'bookworm';

interface Taken {
  readonly name: string;
  /** One package serves every architecture. */
  readonly isForAll?: boolean;
  /** The files to include in the image, besides the copyright. */
  readonly files: RegExp;
}

const NONE = /^$/;
/**
 * The libraries that node is linked with, and what its users expect: certificates, time zones, and the system's name.
 */
export const DEBIAN_PACKAGES: readonly Taken[] = [
  {
    name: 'base-files',
    // The licenses are those that the copyrights of these packages refer to.
    files:
      /^(usr\/lib\/os-release|etc\/debian_version|usr\/share\/common-licenses\/(Artistic|GFDL-1\.2|L?GPL|GPL-[23]|LGPL-(2\.1|3)|MPL-2\.0))$/,
  },
  { name: 'ca-certificates', isForAll: true, files: NONE },
  // Contains the copyright of the two GCC libraries.
  { name: 'gcc-12-base', files: NONE },
  {
    name: 'libc6',
    // Since 2.34 libc itself looks up hosts in files and DNS: libresolv, librt and the libnss of both are of no use to node.
    files: /^lib(64)?\/([^/]+-linux-gnu\/)?(ld-linux-[^/]+|lib(c|dl|m|pthread)\.so\.\d+)$/,
  },
  { name: 'libgcc-s1', files: /\/libgcc_s\.so\.1$/ },
  { name: 'libstdc++6', files: /\/libstdc\+\+\.so\.6[.\d]*$/ },
  {
    name: 'tzdata',
    isForAll: true,
    files: /^usr\/share\/zoneinfo\/([A-Z]\w+\/.*|[A-Z][\w+-]*)$/,
  },
];

const COPYRIGHT = /^usr\/share\/doc\/([^/]+\/copyright|[^/]+)$/;
const CERTIFICATES = 'usr/share/ca-certificates/mozilla';

/** Returns the Debian files of the image for one platform. */
export function debianFiles(folder: string, { architecture }: Platform, lock: Lock): readonly ImageFile[] {
  const chosen = lock.debian.filter((one) => [architecture, 'all'].includes(one.architecture));
  return DEBIAN_PACKAGES.flatMap((taken) => {
    const found = chosen.find(({ name }) => name === taken.name);
    if (found === undefined)
      throw new Error(`scripts/image/lock.json has no ${taken.name} for ${architecture}`);
    return filesOf(debianFile(folder, found, lock), taken, found);
  });
}

function filesOf(archive: string, { files }: Taken, { name }: DebianPackage): readonly ImageFile[] {
  const folder = mkdtempSync(join(tmpdir(), 'logtool-debian-'));
  try {
    runTool('dpkg-deb', ['--extract', archive, folder]);
    const taken = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .filter((path) => files.test(path) || COPYRIGHT.test(path));
    return [
      ...taken.map((path) => fileAt(folder, path)),
      ...(name === 'ca-certificates' ? [certificates(join(folder, CERTIFICATES))] : []),
      // As in distroless images: scanners read the packages of an image there.
      { name: `var/lib/dpkg/status.d/${name}`, data: runTool('dpkg-deb', ['--field', archive]) },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function fileAt(folder: string, name: string): ImageFile {
  const path = join(folder, name);
  const status = lstatSync(path);
  if (status.isSymbolicLink()) return { name, target: readlinkSync(path) };
  return { name, mode: (status.mode & 0o100) === 0 ? 0o644 : 0o755, data: readFileSync(path) };
}

/** Returns the list that update-ca-certificates would create from all of Mozilla's certificates, sorted by name. */
function certificates(folder: string): ImageFile {
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.crt'))
    .sort()
    .map((name) => `${readFileSync(join(folder, name), 'utf8').trimEnd()}\n`);
  if (texts.length === 0) throw new Error('the package ca-certificates has no certificates');
  return { name: 'etc/ssl/certs/ca-certificates.crt', data: Buffer.from(texts.join('')) };
}
