import { expect, test } from 'vitest';
import { type BrowserHunt, chromiumFlags, findChromium } from './find-chromium.ts';

interface Machine {
  readonly programs: readonly string[];
  readonly env?: Record<string, string>;
  readonly platform?: NodeJS.Platform;
  readonly isRoot?: boolean;
  /** Programs that a command installs, by its command line. */
  readonly brings?: (line: string) => readonly string[] | undefined;
}

function machine({ programs, env = {}, platform = 'linux', isRoot = true, brings }: Machine) {
  const there = new Set(programs);
  const ran: string[] = [];
  const hunt: BrowserHunt = {
    env: { PATH: '/usr/local/bin:/usr/bin', ...env },
    platform,
    isRoot,
    isProgram: (path) => there.has(path),
    downloaded: '/cache/playwright/chrome',
    async run(command, args) {
      const line = [command, ...args].join(' ');
      ran.push(line.replace(/ -o \S+/, ''));
      const brought = brings?.(line);
      for (const path of brought ?? []) there.add(path);
      return brought !== undefined;
    },
  };
  return { hunt, ran };
}

test('CHROMIUM_PATH goes before everything', async () => {
  const { hunt } = machine({
    programs: ['/opt/mine', '/usr/bin/google-chrome'],
    env: { CHROMIUM_PATH: '/opt/mine' },
  });
  expect(await findChromium(hunt)).toBe('/opt/mine');
});

test('reports a CHROMIUM_PATH that leads nowhere, and does not skip it', async () => {
  const { hunt } = machine({ programs: ['/usr/bin/chromium'], env: { CHROMIUM_PATH: '/opt/none' } });
  await expect(findChromium(hunt)).rejects.toThrow('CHROMIUM_PATH names /opt/none, which is no program');
});

test('Chrome, then Chromium, then Edge, then the one that playwright downloaded', async () => {
  const order = [
    '/usr/bin/google-chrome',
    '/usr/local/bin/chromium',
    '/usr/bin/microsoft-edge',
    '/cache/playwright/chrome',
  ];
  for (const [index, path] of order.entries()) {
    const { hunt, ran } = machine({ programs: order.slice(index) });
    expect(await findChromium(hunt)).toBe(path);
    expect(ran).toEqual([]);
  }
});

test('the usual places of macOS and Windows', async () => {
  const mac = '/Applications/Chromium.app/Contents/MacOS/Chromium';
  expect(await findChromium(machine({ programs: [mac], platform: 'darwin' }).hunt)).toBe(mac);
  const edge = 'C:\\Programs (x86)\\Microsoft\\Edge\\Application\\msedge.exe';
  const { hunt } = machine({
    programs: [edge],
    platform: 'win32',
    env: { PROGRAMFILES: 'C:\\Programs', 'PROGRAMFILES(X86)': 'C:\\Programs (x86)' },
  });
  expect(await findChromium(hunt)).toBe(edge);
});

test("root installs Debian's when there is none", async () => {
  const { hunt, ran } = machine({
    programs: [],
    brings: (line) =>
      line.endsWith('install -y --no-install-recommends chromium') ? ['/usr/bin/chromium'] : [],
  });
  expect(await findChromium(hunt)).toBe('/usr/bin/chromium');
  expect(ran).toEqual(['apt-get install -y --no-install-recommends chromium']);
});

test('others do it by sudo that asks for no password, after an update where the lists are empty', async () => {
  let isUpdated = false;
  const { hunt, ran } = machine({
    programs: [],
    isRoot: false,
    brings(line) {
      if (!line.endsWith('update')) return isUpdated ? ['/usr/bin/chromium'] : undefined;
      isUpdated = true;
      return [];
    },
  });
  expect(await findChromium(hunt)).toBe('/usr/bin/chromium');
  const install = 'sudo -n apt-get install -y --no-install-recommends chromium';
  expect(ran).toEqual([install, 'sudo -n apt-get update', install]);
});

test('where nothing helps it says what to do', async () => {
  const { hunt } = machine({ programs: [], isRoot: false });
  const failed = expect(findChromium(hunt)).rejects;
  await failed.toThrow(
    /sudo -n apt-get install chromium` did not work[\s\S]*playwright-core install[\s\S]*CHROMIUM_PATH/,
  );
  await expect(findChromium(machine({ programs: [], platform: 'darwin' }).hunt)).rejects.toThrow(
    'none can be installed here by itself',
  );
});

test('only root goes without the sandbox', () => {
  expect(chromiumFlags(true)).toContain('--no-sandbox');
  expect(chromiumFlags(false)).not.toContain('--no-sandbox');
});
