import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { pathInChart } from './archive-path.ts';
import { readChartArchive } from './read-archive.ts';
import { type TarEntry, writeTar } from './write-tar.ts';

const CHART = {
  name: 'chart/Chart.yaml',
  data: Buffer.from('apiVersion: v2\nname: chart\nversion: 1.0.0\n'),
};
const README = { name: 'chart/README.md', data: Buffer.from('read me') };
const MEBIBYTE = 1024 * 1024;

/** Reads a chart with this entry before the header of a file. */
const readWith = (before: TarEntry) => readChartArchive(gzipSync(writeTar([CHART, before, README])));
const refused = (why: string) => helmFailed('invalid-chart', { where: [], problem: 'refused', why });

/** Returns a PAX record: its length in decimal, including the length's own digits. */
function record(text: string): Buffer {
  let length = text.length + 3;
  while (`${length} ${text}\n`.length !== length) length++;
  return Buffer.from(`${length} ${text}\n`);
}

it.each(['L', 'x'])('refuses a header of type %s of more than 1 MiB before it is unpacked', async (type) => {
  const long = (bytes: number) =>
    type === 'x'
      ? record(`comment=${'x'.repeat(bytes - 17)}`)
      : Buffer.from(`chart/${'x'.repeat(bytes - 6)}`);
  const fits = await readWith({ name: 'long', data: long(MEBIBYTE - 8), type });
  expect(fits.files).toHaveLength(1);
  await expect(readWith({ name: 'long', data: long(MEBIBYTE + 8), type })).rejects.toEqual(
    refused('archive/tar: header field too long'),
  );
});

it.each(['size=-1', 'size=1e3', 'size=0x10', 'size= 7', 'size=1234567890123456', 'size='])(
  'refuses the record %s',
  async (text) => {
    await expect(readWith({ name: 'pax', data: record(text), type: 'x' })).rejects.toEqual(
      refused('archive/tar: invalid tar header'),
    );
  },
);

it('takes the size of a record for that of the file, limits included', async () => {
  const chart = await readWith({ name: 'pax', data: record('size=7'), type: 'x' });
  expect(chart.files[0]?.data).toHaveLength(7);
  await expect(readWith({ name: 'pax', data: record(`size=${6 * MEBIBYTE}`), type: 'x' })).rejects.toEqual(
    refused('decompressed chart file "chart/README.md" is larger than the maximum file size 5242880'),
  );
});

it('takes no name with a zero byte, from whichever header it may come', () => {
  expect(() => pathInChart('chart/templates/a\0b')).toThrow(refused('chart contains illegally named files'));
});
