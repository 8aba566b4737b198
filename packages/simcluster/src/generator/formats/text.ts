import { formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { durationLike, PATHS } from '../fill.ts';
import type { Level } from '../messages.ts';
import type { Random } from '../random.ts';

/** The input from which a format writes one event. */
export interface LineInput {
  readonly at: Timestamp;
  readonly level: Level;
  /** With all placeholders filled in. */
  readonly message: string;
  readonly logger: string;
  readonly random: Random;
  readonly n: number;
}

/** Returns the lines of one event: usually one, several for a stack trace. */
export type Format = (input: LineInput) => readonly (string | Uint8Array)[];

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Version/18.6 Mobile Safari/604.1',
  'kube-probe/1.35',
  'curl/8.11.1',
];

/** The combined log format of nginx and Apache. */
export const webLine: Format = ({ at, level, random }) => {
  const status =
    level === 'error'
      ? random.pick([500, 502, 503, 504])
      : level === 'warn'
        ? random.pick([404, 429, 401])
        : random.pick([200, 200, 200, 200, 204, 301, 304]);
  const method = random.weighted([80, 15, 3, 2]);
  const verb = ['GET', 'POST', 'PUT', 'DELETE'][method] ?? 'GET';
  const time = webTime(at);
  const ip = `${random.int(11, 199)}.${random.int(0, 255)}.${random.int(0, 255)}.${random.int(1, 254)}`;
  const size = status === 204 || status === 304 ? 0 : random.int(120, 48_000);
  return [
    `${ip} - - [${time}] "${verb} ${random.pick(PATHS)} HTTP/1.1" ${status} ${size} "-" "${random.pick(AGENTS)}" ${(durationLike(random) / 1000).toFixed(3)}`,
  ];
};

export const nginxErrorLine: Format = ({ at, level, message, random }) => {
  const iso = formatTimestamp(at);
  const day = `${iso.slice(0, 4)}/${iso.slice(5, 7)}/${iso.slice(8, 10)} ${iso.slice(11, 19)}`;
  return [`${day} [${level === 'fatal' ? 'crit' : level}] 31#31: *${random.int(100, 99_999)} ${message}`];
};

export const jsonLine: Format = ({ at, level, message, logger, random }) => [
  JSON.stringify({
    time: `${formatTimestamp(at).slice(0, 23)}Z`,
    level,
    logger,
    msg: message,
    trace_id: random.hex(32),
    duration_ms: Number(durationLike(random).toFixed(2)),
  }),
];

export const logfmtLine: Format = ({ at, level, message, logger, random }) => [
  `ts=${formatTimestamp(at).slice(0, 23)}Z level=${level} component=${logger} msg=${JSON.stringify(message)} trace=${random.hex(16)}`,
];

/** klog, the format of Kubernetes components. */
export const klogLine: Format = ({ at, level, message, logger, random }) => {
  const iso = formatTimestamp(at);
  const letter = { fatal: 'F', error: 'E', warn: 'W', info: 'I', debug: 'I', trace: 'I' }[level];
  return [
    `${letter}${iso.slice(5, 7)}${iso.slice(8, 10)} ${iso.slice(11, 26)} ${String(random.int(1, 4)).padStart(7)} ${logger}.go:${random.int(40, 900)}] ${message}`,
  ];
};

export const plainLine: Format = ({ at, level, message }) => [
  `${formatTimestamp(at).slice(0, 19).replace('T', ' ')} ${level.toUpperCase().padEnd(5)} ${message}`,
];

export const ansiLine: Format = ({ at, level, message, logger }) => {
  const color = { fatal: '1;41', error: '31', warn: '33', info: '32', debug: '36', trace: '90' }[level];
  const time = formatTimestamp(at).slice(11, 23);
  return [
    `\u001b[90m${time}\u001b[0m \u001b[${color}m${level.toUpperCase().padEnd(5)}\u001b[0m \u001b[38;5;208m[${logger}]\u001b[0m ${message}`,
  ];
};

/** PostgreSQL with log_line_prefix = '%m [%p] %q%u@%d '. */
export const postgresLine: Format = ({ at, level, message, random }) => {
  const iso = formatTimestamp(at);
  const severity = {
    fatal: 'FATAL',
    error: 'ERROR',
    warn: 'WARNING',
    info: 'LOG',
    debug: 'DEBUG',
    trace: 'DEBUG5',
  }[level];
  const head = `${iso.slice(0, 10)} ${iso.slice(11, 23)} UTC [${random.int(60, 4200)}] shop@shop`;
  return [`${head} ${severity}:  ${message}`];
};

function webTime(at: Timestamp): string {
  const iso = formatTimestamp(at);
  return `${iso.slice(8, 10)}/${MONTHS[Number(iso.slice(5, 7)) - 1]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
}
