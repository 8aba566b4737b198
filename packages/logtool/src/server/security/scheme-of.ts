/**
 * The scheme under which the browser asked. A proxy that ends TLS says it (X-Forwarded-Proto; of several proxies the
 * first word is of the one that the browser reached). No page can set this header: another origin's would need CORS.
 */
export function schemeOf(request: Request): 'http' | 'https' {
  const reported = request.headers.get('x-forwarded-proto')?.split(',')[0]?.trim().toLowerCase();
  if (reported === 'http' || reported === 'https') return reported;
  return request.url.startsWith('https:') ? 'https' : 'http';
}
