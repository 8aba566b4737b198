import type { ConsoleUrl } from '../console/url/console-url.ts';

/** Asks for a value of a field, or does not want it; the same once more takes it away. */
export function fieldChange(
  url: Pick<ConsoleUrl, 'fields'>,
  { path, value }: { readonly path: string; readonly value: string },
  isExcluded: boolean,
): { readonly fields?: readonly string[] } {
  const own = `${path}=${value}`;
  const wanted = isExcluded ? `!${own}` : own;
  const fields = url.fields ?? [];
  const others = fields.filter((field) => field !== own && field !== `!${own}`);
  return { fields: fields.includes(wanted) ? others : [...others, wanted] };
}
