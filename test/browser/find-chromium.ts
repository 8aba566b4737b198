import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

/** What the search may look at and do; a test gives its own. */
export interface BrowserHunt {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
  /** Whether a file is there and may be run. */
  isProgram(path: string): boolean;
  /** Where playwright's own download would be. */
  readonly downloaded: string;
  /** Runs a program to its end; false where it failed or is not there. */
  run(command: string, args: readonly string[]): Promise<boolean>;
}

/** Names on the PATH, in the order in which they are taken. */
const NAMES = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
  'microsoft-edge-stable',
  'msedge',
] as const;
const MAC = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);
const WINDOWS = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];
const PROGRAM_FOLDERS = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'];
const WAIT_FOR_LOCK = 'DPkg::Lock::Timeout=300';

/**
 * Path of a browser that speaks Chromium's protocol: CHROMIUM_PATH, Chrome, Chromium, Edge, playwright's own; where
 * none is there, Debian's is installed if this machine has apt and lets us. Throws an Error that says what to do.
 */
export async function findChromium(hunt: BrowserHunt = thisMachine()): Promise<string> {
  const wanted = hunt.env.CHROMIUM_PATH;
  if (wanted !== undefined && wanted !== '') {
    if (hunt.isProgram(wanted)) return wanted;
    throw new Error(`CHROMIUM_PATH names ${wanted}, which is no program. Correct it, or leave it out.`);
  }
  const found = installed(hunt);
  if (found !== undefined) return found;
  const tried = await install(hunt);
  const now = installed(hunt);
  if (now !== undefined) return now;
  throw new Error(
    `No Chromium was found for the browser tests, and ${tried}. Do one of these:\n` +
      '  install Google Chrome, Chromium or Microsoft Edge (Debian: apt-get install chromium)\n' +
      '  npx playwright-core install chromium\n' +
      '  set CHROMIUM_PATH to the program of a Chromium',
  );
}

/** Flags for a browser that is driven: nothing is fetched in the background. Root has no sandbox. */
export function chromiumFlags(isRoot = process.getuid?.() === 0): readonly string[] {
  return [
    '--headless=new',
    ...(isRoot ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
}

function installed(hunt: BrowserHunt): string | undefined {
  return places(hunt).find((path) => hunt.isProgram(path));
}

function places({ env, platform, downloaded }: BrowserHunt): readonly string[] {
  if (platform === 'darwin') return [...MAC, downloaded];
  if (platform === 'win32') {
    const folders = PROGRAM_FOLDERS.flatMap((name) => env[name] ?? []);
    return [...WINDOWS.flatMap((path) => folders.map((folder) => `${folder}\\${path}`)), downloaded];
  }
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  return [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), downloaded];
}

/** Says what was tried, in half a sentence. */
async function install({ platform, isRoot, run }: BrowserHunt): Promise<string> {
  if (platform !== 'linux') return 'none can be installed here by itself';
  const [command, before] = isRoot ? (['apt-get', []] as const) : (['sudo', ['-n', 'apt-get']] as const);
  const apt = (...args: string[]) => run(command, [...before, '-o', WAIT_FOR_LOCK, ...args]);
  const get = () => apt('install', '-y', '--no-install-recommends', 'chromium');
  // The lists of packages of a fresh machine are empty or old.
  if ((await get()) || ((await apt('update')) && (await get())))
    return 'the one just installed is not on the PATH';
  return `\`${[command, ...before].join(' ')} install chromium\` did not work`;
}

function thisMachine(): BrowserHunt {
  return {
    env: process.env,
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    isProgram(path) {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    },
    downloaded: chromium.executablePath(),
    run: (command, args) =>
      new Promise((resolve) => {
        const child = spawn(command, args, {
          stdio: 'ignore',
          env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
        });
        child.once('error', () => resolve(false));
        child.once('close', (code) => resolve(code === 0));
      }),
  };
}
