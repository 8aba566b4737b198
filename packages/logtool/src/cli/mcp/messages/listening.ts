/** Prints where clients connect, and with which header. */
export function listeningText(url: string, token: string): string {
  return `logtool mcp: ${url}\nheader: Authorization: Bearer ${token}\n`;
}
