/** Characters that spreadsheets read as the beginning of a formula, including full-width ones. */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/**
 * Returns one cell as in RFC 4180. The author of a log line must not run a formula on the machine of its reader
 * (https://owasp.org/www-community/attacks/CSV_Injection), so a cell that begins like one gets a leading `'`; text and
 * JSON Lines carry every byte unchanged.
 */
export function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== text ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The columns of a log as CSV. */
export const CSV_HEAD = 'timestamp,namespace,pod,container,node,level,message\r\n';
