import { expect, it } from 'vitest';
import { cacheDirectory } from './cache-directory.ts';

const none = () => {
  throw new Error('no such user');
};

it('lies where the user keeps caches', () => {
  expect(cacheDirectory({ XDG_CACHE_HOME: '/c', HOME: '/h' }, none, 'linux')).toBe('/c/logtool');
  expect(cacheDirectory({ XDG_CACHE_HOME: '', HOME: '/h' }, none, 'linux')).toBe('/h/.cache/logtool');
  expect(cacheDirectory({ HOME: '/h' }, none, 'darwin')).toBe('/h/Library/Caches/logtool');
  expect(cacheDirectory({}, () => '/from/passwd', 'linux')).toBe('/from/passwd/.cache/logtool');
});

it('lies nowhere rather than below the working directory or without a home', () => {
  expect(cacheDirectory({ XDG_CACHE_HOME: 'relative', HOME: '/h' }, none, 'linux')).toBeUndefined();
  expect(cacheDirectory({ HOME: 'relative' }, none, 'linux')).toBeUndefined();
  expect(cacheDirectory({}, none, 'linux')).toBeUndefined();
});
