import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';

/** Returns the memory of the process that runs the page and its worker, in bytes: the total, and the private part. */
export async function pageMemory(
  browser: Browser,
): Promise<{ readonly resident: number; readonly own: number }> {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  await devtools.detach();
  let most = { resident: 0, own: 0 };
  for (const { type, id } of processInfo) {
    if (type !== 'renderer') continue;
    const status = await readFile(`/proc/${id}/status`, 'utf8');
    const field = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
    // Chromium keeps an empty one ready: the page's is the larger one.
    if (field('VmRSS') > most.resident) most = { resident: field('VmRSS'), own: field('RssAnon') };
  }
  return most;
}
