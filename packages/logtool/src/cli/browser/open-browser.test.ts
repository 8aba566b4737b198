import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { type BrowserWorld, openBrowser, systemBrowserWorld, whyNoBrowser } from './open-browser.ts';

class Program extends EventEmitter {
  isFree = false;

  unref() {
    this.isFree = true;
  }
}

function world(platform: NodeJS.Platform, env: Record<string, string> = {}) {
  const started: { command: string; args: readonly string[]; detached: boolean | undefined }[] = [];
  const program = new Program();
  const value: BrowserWorld = {
    env,
    platform,
    start(command, args, { detached }) {
      started.push({ command, args, detached });
      return program;
    },
  };
  return { value, started, program };
}

const URL_TEXT = 'http://localhost:7500/?token=a&b^c';

test.each([
  ['linux', { DISPLAY: ':0' }, undefined],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, undefined],
  ['linux', { WSL_DISTRO_NAME: 'Debian' }, undefined],
  ['linux', {}, 'there is no display'],
  ['linux', { DISPLAY: ':0', CI: 'true' }, 'CI is set'],
  ['linux', { DISPLAY: ':0', CI: 'false' }, undefined],
  ['darwin', {}, undefined],
  ['darwin', { SSH_CONNECTION: 'x' }, 'this is a remote session'],
  ['win32', {}, undefined],
  ['win32', { CI: '1' }, 'CI is set'],
] as const)('on %s with %j: %s', (platform, env, why) => {
  expect(whyNoBrowser(world(platform, env).value)).toBe(why);
});

test.each([
  ['linux', { DISPLAY: ':0' }, 'xdg-open', [URL_TEXT]],
  ['linux', { WSL_DISTRO_NAME: 'Debian' }, 'rundll32.exe', ['url.dll,FileProtocolHandler', URL_TEXT]],
  ['darwin', {}, 'open', [URL_TEXT]],
  ['win32', {}, 'rundll32.exe', ['url.dll,FileProtocolHandler', URL_TEXT]],
] as const)("%s's own program is started by itself: %j", (platform, env, command, args) => {
  const { value, started, program } = world(platform, env);
  openBrowser(URL_TEXT, value, () => {});
  expect(started).toEqual([{ command, args, detached: true }]);
  expect(program.isFree).toBe(true);
});

test('reports a failing program once', () => {
  const { value, program } = world('darwin');
  const failures: string[] = [];
  openBrowser(URL_TEXT, value, (why) => failures.push(why));
  program.emit('exit', 3);
  program.emit('error', new Error('late'));
  expect(failures).toEqual(['open ended with 3']);
});

test('reports a missing program, and ends nothing', async () => {
  const why = await new Promise((resolve) =>
    openBrowser(
      URL_TEXT,
      {
        ...systemBrowserWorld({}),
        start: () => {
          throw new Error('no such program');
        },
      },
      resolve,
    ),
  );
  expect(why).toBe('no such program');
});
