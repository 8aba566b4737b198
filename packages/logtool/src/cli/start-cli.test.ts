import { expect, test } from 'vitest';
import { homeDirectory } from './start-cli.ts';

const unknownUser = (): string => {
  throw new Error('uv_os_homedir returned ENOENT');
};

test('a user that the system does not know has no home, and that is no failure', () => {
  expect(homeDirectory({}, unknownUser)).toBe('/');
  expect(homeDirectory({ HOME: '' }, () => '/home/ann')).toBe('/home/ann');
  expect(homeDirectory({ HOME: '/data' }, unknownUser)).toBe('/data');
});
