import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunsLine } from '../../agent-api/runs/run-facts.ts';
import { NodeRuns } from './node-runs.ts';
import { runsBody } from './runs-body.ts';

let root: string;
let clock: FakeClock;
let node: NodeRuns;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'logtool-runs-'));
  clock = new FakeClock();
  node = new NodeRuns(root, clock);
});
afterEach(() => rmSync(root, { recursive: true }));

const line = (second: number) => `2026-11-21T10:00:0${second}Z stdout F text\n`;

function write(path: string, content: string | Buffer): string {
  const file = join(root, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** Scans again, after a second. */
async function scanned() {
  await clock.advance(1000);
  const runs = [...(await node.current())].sort(([a], [b]) => (a < b ? -1 : 1));
  return runs.map(([, run]) => run);
}
const summary = async () =>
  (await scanned()).map(({ namespace, pod, podUid, container, run, files }) => {
    const texts = files.map(({ name, bytes, firstTime }) => `${name} ${bytes} ${firstTime}`);
    return [`${namespace}/${pod}/${podUid}/${container}/${run}`, ...texts];
  });

describe.runIf(existsSync('/proc/self/fd'))('the runs of a node', () => {
  test('have all their files, the oldest first, with the first stamp of each', async () => {
    const packed = gzipSync(line(1).repeat(9000));
    write('shop_web_1/app/0.log', line(0));
    write('shop_web_1/app/1.log.20261121-100001.gz', packed);
    write('shop_web_1/app/1.log.20261121-100002', line(2));
    write('shop_web_1/app/1.log.20261121-100002.tmp', 'x');
    write('shop_web_1/app/1.log', '');
    write('kube-system_proxy_0123456789abcdef0123456789abcdef/proxy/0.log', 'no stamp\n');
    expect(await summary()).toEqual([
      ['kube-system/proxy/0123456789abcdef0123456789abcdef/proxy/0', '0.log 9 null'],
      ['shop/web/1/app/0', '0.log 35 2026-11-21T10:00:00Z'],
      [
        'shop/web/1/app/1',
        `1.log.20261121-100001.gz ${packed.length} 2026-11-21T10:00:01Z`,
        '1.log.20261121-100002 35 2026-11-21T10:00:02Z',
        '1.log 0 null',
      ],
    ]);
  });

  test('grow, rotate, are compressed, and go', async () => {
    const file = write('shop_web_1/app/0.log', '');
    expect(await summary()).toEqual([['shop/web/1/app/0', '0.log 0 null']]);
    writeFileSync(file, line(0));
    expect(await summary()).toEqual([['shop/web/1/app/0', '0.log 35 2026-11-21T10:00:00Z']]);
    const rotated = `${file}.20261121-100005`;
    renameSync(file, rotated);
    write('shop_web_1/app/0.log', line(6) + line(7));
    expect(await summary()).toEqual([
      ['shop/web/1/app/0', '0.log.20261121-100005 35 2026-11-21T10:00:00Z', '0.log 70 2026-11-21T10:00:06Z'],
    ]);
    // The runtime writes on into the file that was renamed, until it opens the new one.
    writeFileSync(rotated, line(0) + line(1));
    expect((await summary())[0]?.[1]).toBe('0.log.20261121-100005 70 2026-11-21T10:00:00Z');
    writeFileSync(`${rotated}.gz`, gzipSync(line(0)));
    rmSync(rotated);
    expect((await summary())[0]?.[1]).toMatch(/^0\.log\.20261121-100005\.gz \d+ 2026-11-21T10:00:00Z$/);
    rmSync(join(root, 'shop_web_1'), { recursive: true });
    expect(await summary()).toEqual([]);
  });

  test('are the same objects as long as nothing changes, also when no folder is read again', async () => {
    const file = write('shop_web_1/app/0.log', line(0));
    for (const folder of ['shop_web_1/app', 'shop_web_1', '.']) utimesSync(join(root, folder), 1, 1);
    const [first] = await scanned();
    expect((await scanned())[0]).toBe(first);
    writeFileSync(file, line(0) + line(1));
    expect((await scanned())[0]?.files[0]?.bytes).toBe(70);
    write('shop_web_1/app/1.log', line(2));
    expect(await scanned()).toHaveLength(2);
  });

  test('are read once a second, whoever asks', async () => {
    const file = write('shop_web_1/app/0.log', line(0));
    const [first] = await scanned();
    writeFileSync(file, line(0) + line(1));
    await clock.advance(999);
    expect([...(await node.current()).values()][0]).toBe(first);
    await clock.advance(1);
    expect([...(await node.current()).values()][0]?.files[0]?.bytes).toBe(70);
  });

  test('no link and no folder is a run, and none leads elsewhere', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'logtool-outside-'));
    writeFileSync(join(outside, '0.log'), line(0));
    mkdirSync(join(root, 'shop_web_1/app/0.log'), { recursive: true });
    symlinkSync(join(outside, '0.log'), join(root, 'shop_web_1/app/1.log'));
    symlinkSync(outside, join(root, 'shop_web_1/other'));
    symlinkSync(outside, join(root, 'shop_api_1'));
    writeFileSync(join(root, 'shop_file_1'), '');
    write('odd/app/0.log', line(0));
    write('a_b_c_d/app/0.log', line(0));
    expect(await summary()).toEqual([]);
    rmSync(outside, { recursive: true });
  });

  test('are sent whole, and then as they change; only of namespaces that are allowed', async () => {
    const over = new AbortController();
    const isAllowed = (namespace: string) => namespace === 'shop';
    const body = runsBody(node, isAllowed, { clock, signal: over.signal });
    const next = async (): Promise<RunsLine> => {
      const step = body.next();
      let isHere = false;
      void step.then(() => {
        isHere = true;
      });
      await expect
        .poll(async () => {
          await clock.advance(1000);
          return isHere;
        })
        .toBe(true);
      return JSON.parse(Buffer.from((await step).value ?? '').toString());
    };
    const file = write('shop_web_1/app/0.log', line(0));
    write('bank_vault_1/app/0.log', line(0));
    expect(await next()).toMatchObject({ runs: [{ pod: 'web', files: [{ bytes: 35 }] }] });
    writeFileSync(file, line(0) + line(1));
    write('bank_vault_1/app/0.log', line(0) + line(1));
    expect(await next()).toMatchObject({ changed: [{ pod: 'web', files: [{ bytes: 70 }] }], gone: [] });
    rmSync(join(root, 'shop_web_1'), { recursive: true });
    rmSync(join(root, 'bank_vault_1'), { recursive: true });
    expect(await next()).toEqual({ changed: [], gone: ['shop/web/1/app/0'] });
    const left = expect(body.next()).rejects.toBe('left');
    over.abort('left');
    await left;
  });
});
