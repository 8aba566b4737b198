import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The user that the image names. */
const USER = '65532';

/** A folder or file of this machine that is visible in the container. */
export interface Bind {
  readonly from: string;
  readonly to: string;
}

export interface Container {
  /** The root file system, read-only for the program. */
  readonly root: string;
  readonly binds: readonly Bind[];
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

/**
 * How a program can run here as user 65532 on another, read-only root. `privileged`: root may mount.
 * `namespace`: any user may mount in their own user namespace, where the files also belong to user 65532.
 */
export type Isolation = 'privileged' | 'namespace';

/**
 * Returns the methods that this machine supports, best first. Empty outside Linux and if mounting is
 * forbidden.
 */
export function isolations(): readonly Isolation[] {
  const folder = mkdtempSync(join(tmpdir(), 'logtool-isolation-'));
  try {
    const ways: readonly Isolation[] = ['privileged', 'namespace'];
    return ways.filter((way) => {
      const [file, ...args] = [...OUTER[way], ...shell(`mount --bind ${quoted(folder)} ${quoted(folder)}`)];
      return spawnSync(file as string, args).status === 0;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Starts a program like a container of the image: user 65532, a read-only root, /proc and /dev, this
 * machine's network. Creates mount points for the folders of `binds` in the root.
 */
export function startContainer(isolation: Isolation, container: Container): ChildProcess {
  const { root, binds, workdir, env, command } = container;
  const all = [{ from: '/proc', to: '/proc' }, { from: '/dev', to: '/dev' }, ...binds];
  const mounts = all.map(({ from, to }) => {
    makeMountPoint(from, join(root, to));
    return `mount --rbind ${quoted(from)} ${quoted(join(root, to))}`;
  });
  const readOnly = `mount -o remount,bind,ro${isolation === 'privileged' ? '' : ',nosuid,nodev'} ${quoted(root)}`;
  const inner = ['unshare', ...INNER[isolation], `--root=${root}`, `--wd=${workdir}`, ...command];
  const script = [
    `mount --bind ${quoted(root)} ${quoted(root)}`,
    // Bound folders keep their access: only the root becomes read-only.
    ...mounts,
    isolation === 'privileged' ? readOnly : `${readOnly} || mount -o remount,bind,ro ${quoted(root)}`,
    `exec ${inner.map(quoted).join(' ')}`,
  ];
  const [file, ...args] = [...OUTER[isolation], ...shell(script.join('\n'))];
  return spawn(file as string, args, { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
}

const OUTER: Readonly<Record<Isolation, readonly string[]>> = {
  privileged: ['/usr/bin/unshare', '--mount'],
  namespace: ['/usr/bin/unshare', '--user', '--map-root-user', '--mount'],
};

const INNER: Readonly<Record<Isolation, readonly string[]>> = {
  privileged: [`--setgid=${USER}`, `--setuid=${USER}`],
  namespace: ['--user', `--map-user=${USER}`, `--map-group=${USER}`],
};

function shell(script: string): readonly string[] {
  return ['/bin/sh', '-ec', script];
}

function makeMountPoint(from: string, to: string): void {
  if (statSync(from).isDirectory()) {
    mkdirSync(to, { recursive: true });
    return;
  }
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, '', { flag: 'a' });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
