/**
 * Returns the scheme that the browser used. A proxy that ends TLS reports it (X-Forwarded-Proto; with several proxies,
 * the first value comes from the one that the browser reached). No page can set this header: another origin's would
 * need CORS.
 */
export function schemeOf(request: Request): 'http' | 'https' {
  const reported = request.headers.get('x-forwarded-proto')?.split(',')[0]?.trim().toLowerCase();
  if (reported === 'http' || reported === 'https') return reported;
  return request.url.startsWith('https:') ? 'https' : 'http';
}
