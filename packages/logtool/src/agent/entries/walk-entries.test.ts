import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ContainerOnDisk } from '../../../../../test/support/agent/container-on-disk.ts';
import { LocalFolder } from '../files/local-folder.ts';
import { StampIndex } from '../index/stamp-index.ts';
import { entryText } from '../serve/entry-text.ts';
import type { EntryQuery } from './entry-query.ts';
import { LogFiles } from './log-files.ts';
import { walkEntries } from './walk-entries.ts';

const { signal } = new AbortController();
const ALL: EntryQuery = {
  lower: undefined,
  upper: undefined,
  direction: 'forward',
  limit: undefined,
  stream: undefined,
};
const isLinux = existsSync('/proc/self/fd');

afterEach(() => {
  vi.restoreAllMocks();
});

async function textOf(
  files: LogFiles,
  query: EntryQuery,
  onChunk: (text: string) => void = () => {},
): Promise<string> {
  let text = '';
  for await (const chunk of entryText(walkEntries(files, query, { stamps: new StampIndex() }))) {
    text += Buffer.from(chunk).toString();
    onChunk(text);
  }
  return text;
}

const messagesIn = (text: string) => [...text.matchAll(/ stdout [FP] (.*)$/gm)].map(([, message]) => message);

describe.runIf(isLinux)('entries while the kubelet rotates', () => {
  test('a file that is rotated and compressed while another one is read is read under its new name', async () => {
    const container = new ContainerOnDisk();
    try {
      container.write('one');
      container.rotate();
      container.write('two');
      const files = await LogFiles.list(
        new LocalFolder(container.root, container.path, signal),
        undefined,
        signal,
      );
      let isRotated = false;
      const text = await textOf(files, ALL, (soFar) => {
        if (isRotated || !soFar.includes('one')) return;
        isRotated = true;
        container.compress(container.rotate());
        container.write('ten');
      });
      expect(messagesIn(text)).toEqual(['one', 'two']);
      expect(container.openFiles).toEqual([]);
    } finally {
      container.close();
    }
  });

  test('a file that is removed before it is read is a gap', async () => {
    const container = new ContainerOnDisk();
    try {
      container.write('one');
      container.rotate();
      container.write('two');
      const removed = container.rotate();
      container.write('ten');
      const files = await LogFiles.list(
        new LocalFolder(container.root, container.path, signal),
        undefined,
        signal,
      );
      container.remove(removed);
      for (const direction of ['forward', 'backward'] as const) {
        const text = await textOf(files, { ...ALL, direction });
        const messages = direction === 'forward' ? ['one', 'ten'] : ['ten', 'one'];
        expect(messagesIn(text)).toEqual(messages);
        expect(text).toMatch(/^#gap 0:\S+ 0:2027-01-15T08:00:02\S+:0 removed$/m);
      }
    } finally {
      container.close();
    }
  });

  test('no file is left out of a list that a rotation crosses', async () => {
    const container = new ContainerOnDisk();
    try {
      container.write('one');
      const openFile = LocalFolder.prototype.openFile;
      vi.spyOn(LocalFolder.prototype, 'openFile').mockImplementationOnce(function (this: LocalFolder, name) {
        container.rotate();
        container.write('two');
        return openFile.call(this, name);
      });
      const files = await LogFiles.list(
        new LocalFolder(container.root, container.path, signal),
        undefined,
        signal,
      );
      expect(messagesIn(await textOf(files, ALL))).toEqual(['one', 'two']);
    } finally {
      container.close();
    }
  });
});

test.runIf(isLinux).each(['forward', 'backward'] as const)(
  'a line that began before a time is left out, although entries of the other stream are between: %s',
  async (direction) => {
    const root = mkdtempSync(join(tmpdir(), 'logtool-streams-'));
    try {
      mkdirSync(join(root, 'pod', 'app'), { recursive: true });
      const stampOf = (second: number) => formatTimestamp({ seconds: 1_800_000_000 + second, nanos: 0 });
      const entries = [
        `${stampOf(0)} stderr P begun`,
        ...Array.from({ length: 20 }, (_, second) => `${stampOf(second)} stdout F a line`),
        `${stampOf(20)} stderr F , and ended`,
        `${stampOf(21)} stderr F another`,
      ];
      writeFileSync(join(root, 'pod', 'app', '0.log'), `${entries.join('\n')}\n`);
      const files = await LogFiles.list(new LocalFolder(root, ['pod', 'app'], signal), undefined, signal);
      const point = { kind: 'time', at: { seconds: 1_800_000_018, nanos: 0 } } as const;
      const query = { ...ALL, direction, stream: 'stderr', lower: { point, isInclusive: true } } as const;
      let text = '';
      for await (const chunk of entryText(walkEntries(files, query, { stamps: new StampIndex(64) })))
        text += Buffer.from(chunk).toString();
      expect([...text.matchAll(/ stderr . (.*)$/gm)].map(([, message]) => message)).toEqual(['another']);
    } finally {
      rmSync(root, { recursive: true });
    }
  },
);

describe.runIf(isLinux)('a page of a large file', () => {
  const SIZE = 64 * 1024 * 1024;
  const BASE = 1_800_000_000;
  let root: string;
  let lines = 0;
  let length = 0;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'logtool-large-'));
    mkdirSync(join(root, 'pod', 'app'), { recursive: true });
    const file = openSync(join(root, 'pod', 'app', '0.log'), 'w');
    for (let written = 0; written < SIZE; ) {
      let block = '';
      for (let line = 0; line < 1000; line++) block += `${entryAt(lines++)}\n`;
      written += writeSync(file, block);
      length = block.length / 1000;
    }
    closeSync(file);
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const stampOf = (line: number) => formatTimestamp({ seconds: BASE + line, nanos: 0 });
  const entryAt = (line: number) =>
    `${stampOf(line)} stdout F line ${String(line).padStart(9, '0')} ${'x'.repeat(80)}`;

  /** Reads, and returns what was found and how many bytes of the disk that took. */
  async function page(query: Partial<EntryQuery>) {
    const handle = await open(join(root, 'pod', 'app', '0.log'));
    const prototype = Object.getPrototypeOf(handle) as typeof handle;
    await handle.close();
    const read = vi.spyOn(prototype, 'read');
    const files = await LogFiles.list(new LocalFolder(root, ['pod', 'app'], signal), undefined, signal);
    const text = await textOf(files, { ...ALL, ...query });
    let bytes = 0;
    for (const { value } of read.mock.results) bytes += (await value).bytesRead;
    expect(read).toHaveBeenCalled();
    return { bytes, numbers: messagesIn(text).map((message) => Number(message?.slice(5, 14))) };
  }

  const inOrder = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at);

  test.each([0.1, 0.5, 0.999])(
    'before or after any time or position reads little of it: at %f',
    async (share) => {
      const line = Math.floor(lines * share);
      const offset = line * length;
      const time = { kind: 'time', at: { seconds: BASE + line, nanos: 0 } } as const;
      const position = { run: 0, file: { seconds: BASE, nanos: 0 }, offset };
      for (const point of [time, { kind: 'position', position } as const]) {
        const before = await page({
          upper: { point, isInclusive: false },
          direction: 'backward',
          limit: 100,
        });
        expect(before.numbers).toEqual(inOrder(line - 100, 100).reverse());
        const after = await page({ lower: { point, isInclusive: true }, limit: 100 });
        expect(after.numbers).toEqual(inOrder(line, 100));
        for (const { bytes } of [before, after]) expect(bytes).toBeLessThan(SIZE / 40);
      }
    },
  );
});
