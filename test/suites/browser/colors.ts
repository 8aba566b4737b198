import type { Page } from 'playwright-core';

/** Returns the colors of the pixels of a part of the page. */
export async function colorsOf(
  page: Page,
  clip: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): Promise<readonly string[]> {
  const picture = (await page.screenshot({ clip })).toString('base64');
  return page.evaluate(async (picture) => {
    const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas?.drawImage(image, 0, 0);
    const { data } = canvas?.getImageData(0, 0, image.width, image.height) ?? { data: [] };
    const colors = new Set<string>();
    for (let at = 0; at < data.length; at += 4) colors.add(data.slice(at, at + 3).join(','));
    return [...colors];
  }, picture);
}
