/** Where clients connect, and with what. */
export function listeningText(url: string, token: string): string {
  return `logtool mcp: ${url}\nheader: Authorization: Bearer ${token}\n`;
}
