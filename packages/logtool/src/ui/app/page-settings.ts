/** What the server writes into the page when it hands it out. */
export interface PageSettings {
  /** Where the server is mounted, without a slash at the end: '' or '/logs'. */
  readonly basePath: string;
  readonly token: string;
}

/** Reads them out of the page's meta elements; what is not there reads as empty. */
export function readPageSettings(page: Document): PageSettings {
  const meta = (name: string) => page.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
  return { basePath: meta('logtool-base').replace(/\/+$/, ''), token: meta('logtool-token') };
}
