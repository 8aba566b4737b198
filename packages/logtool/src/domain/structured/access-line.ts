/**
 * The head of an access line: nginx and Apache (common and combined, with or without the virtual host) up to the
 * status, and Envoy, which begins with the time. Each character class ends at a character outside it: linear time.
 */
const ACCESS_HEAD =
  /^(?:(?:(?<vhost>[^\s"]{1,256}:\d{1,5}) )?(?<client>[^\s"]{1,256}) [^\s"]{1,256} (?<user>[^\s"]{1,256}) )?\[[^\]"]{8,40}\] "(?<request>[^"\\]*(?:\\.[^"\\]*)*)" (?<status>[1-5]\d\d)(?= |$)/d;

/** Matches the status of a request that a server answered, and everything before it. */
export function matchAccessHead(text: string): RegExpExecArray | null {
  return ACCESS_HEAD.exec(text);
}

/** Whether a line reports a request that a server failed to answer: its status is 500 or above. */
export function isFailedAccess(text: string): boolean {
  return text.includes('" 5') && ACCESS_HEAD.exec(text)?.groups?.status?.startsWith('5') === true;
}
