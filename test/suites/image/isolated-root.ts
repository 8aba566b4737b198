import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The user that the image names. */
const USER = '65532';

/** A folder or file of this machine that the container sees. */
export interface Bind {
  readonly from: string;
  readonly to: string;
}

export interface Container {
  /** The root file system, which the program cannot write to. */
  readonly root: string;
  readonly binds: readonly Bind[];
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

/**
 * How a program can run here as user 65532 on another, read-only root. `privileged`: root may mount. `namespace`: anybody
 * may in a user namespace of their own, where the files belong to user 65532 too.
 */
export type Isolation = 'privileged' | 'namespace';

/** The ways that this machine allows, the best first. Empty outside of Linux and where mounting is forbidden. */
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
 * Starts a program as a container of the image would run: user 65532, a read-only root, /proc and /dev, the network of
 * this machine. The folders that `binds` name appear in the root.
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
    // Bound folders stay as they are: only the root becomes read-only.
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
