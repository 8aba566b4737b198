import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { type AptMachine, aptInstall, thisMachine as thisAptMachine } from '../apt-install.ts';

/** What the search may read and run; tests supply their own. */
export interface BrowserHunt extends AptMachine {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a file exists and is executable. */
  isProgram(path: string): boolean;
  /** The path of playwright's own download. */
  readonly downloaded: string;
}

/** Names on the PATH, in order of preference. */
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

/**
 * Returns the path of a browser that speaks Chromium's protocol: CHROMIUM_PATH, Chrome, Chromium, Edge,
 * playwright's own; if none exists, installs Debian's if this machine has apt and allows it. Throws an Error
 * that advises what to do.
 */
export async function findChromium(hunt: BrowserHunt = thisMachine()): Promise<string> {
  const wanted = hunt.env.CHROMIUM_PATH;
  if (wanted !== undefined && wanted !== '') {
    if (hunt.isProgram(wanted)) return wanted;
    throw new Error(`CHROMIUM_PATH names ${wanted}, which is no program. Correct it, or leave it out.`);
  }
  const found = installed(hunt);
  if (found !== undefined) return found;
  const tried = await aptInstall('chromium', hunt);
  const now = installed(hunt);
  if (now !== undefined) return now;
  throw new Error(
    `No Chromium was found for the browser tests, and ${tried}. Do one of these:\n` +
      '  install Google Chrome, Chromium or Microsoft Edge (Debian: apt-get install chromium)\n' +
      '  npx playwright-core install chromium\n' +
      '  set CHROMIUM_PATH to the program of a Chromium',
  );
}

/** Returns flags for an automated browser without background requests. Root has no sandbox. */
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
  return candidates(hunt).find((path) => hunt.isProgram(path));
}

function candidates({ env, platform, downloaded }: BrowserHunt): readonly string[] {
  if (platform === 'darwin') return [...MAC, downloaded];
  if (platform === 'win32') {
    const folders = PROGRAM_FOLDERS.flatMap((name) => env[name] ?? []);
    return [...WINDOWS.flatMap((path) => folders.map((folder) => `${folder}\\${path}`)), downloaded];
  }
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  return [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), downloaded];
}

function thisMachine(): BrowserHunt {
  return {
    env: process.env,
    ...thisAptMachine,
    isProgram(path) {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    },
    downloaded: chromium.executablePath(),
  };
}
