import type { ImageFile } from './image-file.ts';

/** The user of distroless images that is named nonroot. */
const USER = 65532;

/** The few system files that no Debian package contains. */
export const SYSTEM_FILES: readonly ImageFile[] = [
  text('etc/passwd', [
    'root:x:0:0:root:/root:/sbin/nologin',
    'nobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin',
    `nonroot:x:${USER}:${USER}:nonroot:/home/nonroot:/sbin/nologin`,
  ]),
  text('etc/group', ['root:x:0:', 'nobody:x:65534:', `nonroot:x:${USER}:`]),
  // Look up host names in /etc/hosts first, where a pod's hostAliases are.
  text('etc/nsswitch.conf', ['passwd: files', 'group: files', 'hosts: files dns']),
  { name: 'etc/os-release', target: '../usr/lib/os-release' },
  { name: 'home/nonroot', isFolder: true, mode: 0o700, owner: USER },
  { name: 'tmp', isFolder: true, mode: 0o1777 },
  // Mount points for the container runtime.
  ...['dev', 'proc', 'run', 'sys', 'var/run'].map((name) => ({ name, isFolder: true })),
];

function text(name: string, lines: readonly string[]): ImageFile {
  return { name, data: Buffer.from(`${lines.join('\n')}\n`) };
}
