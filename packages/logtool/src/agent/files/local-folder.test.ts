import { execFile } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { SEED } from '../../../../../test/support/fuzz/seed.ts';
import { LocalFolder } from './local-folder.ts';

const { signal } = new AbortController();
const POD = 'shop_web_7f0ab3de';
const SECRET = 'outside';
let base: string;
let root: string;
let own: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'logtool-files-'));
  root = join(base, 'pods');
  own = join(root, POD, 'app');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(base, 'secret.log'), SECRET);
  writeFileSync(join(own, '0.log'), 'inside');
  onTestFinished(() => rmSync(base, { recursive: true }));
});

const folderOf = (...path: string[]) => new LocalFolder(root, path, signal);

async function contentOf(folder: LocalFolder, name: string, range?: Parameters<LocalFolder['open']>[1]) {
  const { from, body } = await folder.open(name, range);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return { from, text: Buffer.concat(chunks).toString() };
}

const openDescriptors = () => readdirSync('/proc/self/fd').length;

describe.runIf(existsSync('/proc/self/fd'))('a folder of logs on this machine', () => {
  test('lists the files of a run, and has none of a container or pod that does not exist', async () => {
    for (const name of ['0.log.20261121-100000.gz', '0.log.20261121-110000', '0.log.20261121-120000.tmp'])
      writeFileSync(join(own, name), '');
    expect(await folderOf(POD, 'app').filesOf(0)).toEqual({
      run: 0,
      rotated: [
        { stamp: '20261121-100000', isCompressed: true },
        { stamp: '20261121-110000', isCompressed: false },
      ],
      hasNewest: true,
    });
    expect(await folderOf(POD, 'app').filesOf(1)).toEqual({ run: 1, rotated: [], hasNewest: false });
    expect(await folderOf(POD, 'other').filesOf(0)).toBeUndefined();
    expect(await folderOf('shop_other_1', 'app').filesOf(0)).toBeUndefined();
    await expect(folderOf(POD, 'app').open('1.log')).rejects.toMatchObject({ kind: 'not-found' });
    await expect(folderOf(POD, 'other').open('0.log')).rejects.toMatchObject({ kind: 'not-found' });
  });

  test('says so if the folder of all logs is missing: no log is empty because of it', async () => {
    const folder = new LocalFolder(join(base, 'nope'), [POD, 'app'], signal);
    await expect(folder.filesOf(0)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test.each([
    [undefined, 0, 'inside'],
    [{ from: 2 }, 2, 'side'],
    [{ from: 2, to: 3 }, 2, 'si'],
    [{ from: 4, to: 99 }, 4, 'de'],
    [{ from: 6 }, 6, ''],
    [{ from: 99 }, 99, ''],
    [{ last: 2 }, 4, 'de'],
    [{ last: 99 }, 0, 'inside'],
  ])('reads the range %j', async (range, from, text) => {
    expect(await contentOf(folderOf(POD, 'app'), '0.log', range)).toEqual({ from, text });
  });

  test('reads the file that it opened, as long as it was then, although it is rotated and grows', async () => {
    const { body } = await folderOf(POD, 'app').open('0.log');
    appendFileSync(join(own, '0.log'), ' and more');
    renameSync(join(own, '0.log'), join(own, '0.log.20261121-100000'));
    writeFileSync(join(own, '0.log'), 'another');
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('inside');
  });

  test('a file that was emptied while it was read fails, and does not end early', async () => {
    const { body } = await folderOf(POD, 'app').open('0.log');
    truncateSync(join(own, '0.log'));
    const read = body[Symbol.asyncIterator]().next();
    await expect(read).rejects.toMatchObject({ file: '0.log', because: 'cut' });
  });

  test('follows no link to a file, be it outside or beside', async () => {
    symlinkSync('../../../secret.log', join(own, '1.log'));
    symlinkSync('0.log', join(own, '2.log'));
    symlinkSync('nowhere', join(own, '3.log'));
    for (const name of ['1.log', '2.log', '3.log'])
      await expect(folderOf(POD, 'app').open(name)).rejects.toMatchObject({ file: name, because: 'link' });
  });

  test('follows no link to a folder', async () => {
    mkdirSync(join(base, 'elsewhere', 'app'), { recursive: true });
    writeFileSync(join(base, 'elsewhere', 'app', '0.log'), SECRET);
    symlinkSync('../elsewhere', join(root, 'shop_linked_1'));
    symlinkSync('../../elsewhere/app', join(root, POD, 'linked'));
    for (const folder of [folderOf('shop_linked_1', 'app'), folderOf(POD, 'linked')]) {
      expect(await folder.filesOf(0)).toBeUndefined();
      await expect(folder.open('0.log')).rejects.toMatchObject({ kind: 'not-found' });
    }
    expect(await folderOf().names('folders')).toEqual([POD]);
  });

  test('a pipe holds nothing up, and a folder or a pipe is no log', async () => {
    await promisify(execFile)('mkfifo', [join(own, '1.log')]);
    mkdirSync(join(own, '2.log'));
    for (const name of ['1.log', '2.log'])
      await expect(folderOf(POD, 'app').open(name)).rejects.toMatchObject({ because: 'not-regular' });
  });

  const piece = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '/',
      '//',
      '\0',
      'secret.log',
      POD,
      'app',
      '0.log',
      '%2e%2e',
      'pods',
      '\\',
      '~',
    ),
    fc.string({ maxLength: 4, unit: 'binary' }),
    fc.string({ minLength: 250, maxLength: 300 }),
  );
  const name = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
  test(`no name leads out of the folder: 10,000 of them (LOGTOOL_SEED=${SEED})`, async () => {
    const ofPod = folderOf(POD, 'app');
    await fc.assert(
      fc.asyncProperty(name, name, name, async (pod, container, file) => {
        const read = async (folder: LocalFolder, wanted: string) =>
          contentOf(folder, wanted).then(
            ({ text }) => text,
            (error: { kind?: string; because?: string }) => error.kind ?? error.because,
          );
        const found = [await read(ofPod, file), await read(folderOf(pod, container), file)];
        expect(['inside', 'not-found', 'not-regular']).toEqual(expect.arrayContaining(found));
      }),
      { seed: SEED, numRuns: 5_000 },
    );
  });

  test('leaves no file open: read whole, in part, not at all, or failed', async () => {
    const before = openDescriptors();
    const folder = folderOf(POD, 'app');
    await contentOf(folder, '0.log');
    const unread = await folder.open('0.log');
    await unread.body[Symbol.asyncIterator]().return?.();
    const { body } = await folder.open('0.log');
    for await (const _ of body) break;
    await folder.filesOf(0);
    await folderOf(POD, 'other').filesOf(0);
    await expect(folder.open('9.log')).rejects.toThrow();
    await expect(folderOf(POD, 'other').open('0.log')).rejects.toThrow();
    mkdirSync(join(own, '2.log'));
    await expect(folder.open('2.log')).rejects.toThrow();
    expect(openDescriptors()).toBe(before);
  });
});
