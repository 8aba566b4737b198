/** The levels of generated lines. */
export type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

export interface Message {
  readonly text: string;
  readonly level: Level;
  readonly weight: number;
}

/** The messages of an ordinary service, the default of a scenario. */
export const ORDINARY_MESSAGES: readonly Message[] = [
  { level: 'info', weight: 30, text: 'request completed method=GET path={path} status=200 duration={ms}ms' },
  { level: 'info', weight: 12, text: 'order {order} accepted for customer {user}' },
  { level: 'info', weight: 8, text: 'cache refreshed entries={int:100-9000} took={ms}ms' },
  { level: 'info', weight: 6, text: 'connection from {ip} established' },
  { level: 'debug', weight: 10, text: 'pool stats active={int:1-14} idle={int:1-9} waiting=0' },
  { level: 'debug', weight: 8, text: 'session {hex:16} renewed for {user}' },
  { level: 'trace', weight: 2, text: 'enter handler {path}' },
  {
    level: 'warn',
    weight: 4,
    text: 'slow query took {int:510-2900}ms: SELECT * FROM orders WHERE customer_id = {int:1-9999}',
  },
  { level: 'warn', weight: 2, text: 'retrying call to inventory attempt={int:2-4}' },
  { level: 'error', weight: 1, text: 'upstream timed out after 5000ms host=inventory.shop.svc' },
  { level: 'fatal', weight: 0.01, text: 'out of file descriptors' },
];

/** The default mix of levels. */
export const ORDINARY_LEVELS: Readonly<Partial<Record<Level, number>>> = {
  info: 88,
  debug: 6,
  warn: 5,
  error: 1,
};
