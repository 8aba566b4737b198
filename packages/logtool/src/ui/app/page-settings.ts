/** Settings that the server writes into the page it serves. */
export interface PageSettings {
  /** Base path of the server, without a trailing slash: '' or '/logs'. */
  readonly basePath: string;
  readonly token: string;
}

/** Reads the settings from the page's meta elements; a missing element reads as empty. */
export function readPageSettings(page: Document): PageSettings {
  const meta = (name: string) => page.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
  return { basePath: meta('logtool-base').replace(/\/+$/, ''), token: meta('logtool-token') };
}
