import { stripSgrText } from '../ansi.ts';
import { LEVELS } from '../filter.ts';
import { isFailedRequest } from '../level.ts';

/**
 * The shape of a line by its own text, independent of the lines around it: which part of a record it may be. A number,
 * so that the page keeps one byte for each line.
 */
export const SHAPE = {
  /** Not a part of a record, like most lines. */
  plain: 0,
  /** Like plain, but a trace may follow: a warning or an error, or without a level and naming an error. */
  alarm: 1,
  blank: 2,
  /** Begins with a blank and has none of the shapes below. */
  indented: 3,
  /** Begins with six blanks, like the lines of .NET's console logger below its head. */
  sixBlanks: 4,
  /** `java.lang.IllegalStateException: boom`, `TypeError: x is undefined`, `Exception in thread "main" ...`. */
  error: 5,
  /** Named like a class, without mentioning an error: the last line of a Python trace. */
  className: 6,
  /** `\tat com.shop.Cart.add(Cart.java:12)`, `    at add (/app/cart.js:3:9)`, `   at Shop.Cart.Add() in ...`. */
  frame: 7,
  /** The same, followed by fields of the error: `    at add (/app/cart.js:3:9) {`. */
  frameOpen: 8,
  /** `Caused by: ...`, `Suppressed: ...`, ` ---> System.Exception: ...`, `[cause]: Error: ...`. */
  cause: 9,
  /** `\t... 9 more`, `   --- End of inner exception stack trace ---`. */
  elided: 10,
  traceback: 11,
  /** `  File "/app/cart.py", line 3, in add`. */
  pythonFrame: 12,
  /** `During handling of the above exception, another exception occurred:`. */
  pythonChain: 13,
  /** From a Python exception group: `  | ValueError: x`, `  +---------------- 1 ----------------`. */
  pythonGroup: 14,
  goPanic: 15,
  /** Lines of Go between the panic and the goroutines: signals, registers, a panic during a panic. */
  goDetail: 16,
  goroutine: 17,
  /** `main.(*Cart).Add(0xc0000b4000)`, `created by main.main in goroutine 1`. */
  goCall: 18,
  /** `\t/app/cart.go:12 +0x1d`. */
  goFrame: 19,
  goExit: 20,
  rubyFrame: 21,
  rustPanic: 22,
  /** A Rust panic whose message is on the next line. */
  rustPanicOpen: 23,
  backtrace: 24,
  /** `   0: rust_begin_unwind`; below anyhow's `Caused by:`, a cause. */
  numbered: 25,
  rustNote: 26,
  /** `/app/cart.js:3`, above the line that threw. */
  nodeFile: 27,
  /** `    ^^^^`, below the line that threw. */
  caret: 28,
  nodeVersion: 29,
  /** `fail: Shop.Cart[0]`, from .NET's console logger: the message is below it. */
  dotnetHead: 30,
  /** `{`, or a text that ends with `{` or `[`. */
  jsonOpen: 31,
  jsonMember: 32,
  jsonClose: 33,
  /** `Error: boom`: without a specific class, as a program may write about itself. */
  bareError: 34,
  /** `cart.rb:3:in 'add': boom (RuntimeError)`. */
  rubyError: 35,
  /** `Did you mean?  first`, below the line of Ruby that raised. */
  rubyHint: 36,
  /** `[AggregateError: all failed] {`: an error of Node without frames, followed by its fields. */
  errorOpen: 37,
  /** Like plain, without any sign of a format of its own (a level, a time, pairs): may be a further line of a message. */
  text: 38,
  /** Like text and alarm: without a level, and naming an error. */
  alarmText: 39,
  /** `[SQL: SELECT 1]`, `LINE 1: SELECT 1`: of the message of an exception of a database. */
  detail: 40,
  /** `2026-11-28 10:00:00 UTC [7] DETAIL:  Key (id)=(7) already exists.`: of an error of PostgreSQL. */
  field: 41,
  /** `Stack trace:`, `[stacktrace]`. */
  phpTrace: 42,
  /** `#0 /app/cart.php(12): Cart->add()`. */
  phpFrame: 43,
  /** `Next RuntimeException: order 7 failed in /app/cart.php:4`. */
  phpNext: 44,
  /** `  thrown in /app/cart.php on line 4`, `"}`. */
  phpEnd: 45,
  /** `***************************`, around Spring's `APPLICATION FAILED TO START`. */
  springRule: 46,
  springTitle: 47,
  springDescription: 48,
  springAction: 49,
} as const;
export type Shape = (typeof SHAPE)[keyof typeof SHAPE];

/** Characters of a line to examine, in UTF-16 units: its beginning shows its shape. */
export const MAX_SHAPE_TEXT = 512;

const WARN = LEVELS.indexOf('warn');

/*
 * The patterns of all formats. Each is anchored at the beginning, repeats only character classes with certain ends, and
 * reads at most MAX_SHAPE_TEXT characters: no text takes much longer than another.
 */
const ERROR =
  /^(?:Uncaught |Unhandled [Ee]xception[.:] |Exception in thread "[^"]*" )?(?:[\w$]+(?:\.|\/|::))*[\w$]*(?:Error|Exception|Throwable|Interrupt|Exit|Group)(?: \[\w+\])?(?:: |:?$| \()/;
/** `OutOfStock [Error]: sku-17 is out`: Node names the base class of an error whose name does not show that it is one. */
const NAMED_ERROR = /^[\w$.]+ \[\w*(?:Error|Exception)\](?:: |$)/;
const ERROR_OPEN = /^\[[\w$.]*(?:Error|Exception)(?: \[\w+\])?: .*\] \{$/;
const BARE_ERROR = /^(?:Error|Exception|Exit|Group|Interrupt|Throwable)(?:: |:?$| \()/;
const RUBY_FRAME = /^[ \t]*(?:\d+: )?(?:from )?[^\s:]+:\d+:in [`']/;
const TRACEBACK = /^(?: *\+? *Exception Group|[ \t]*) ?Traceback \(most recent call last\):/;
/** Ruby 3.1 adds the class of the error. */
const CARET = /^[ \t]*[~^]+(?: \((?:\w+::)*[A-Z]\w*\))?$/;
const GO_FRAME = /^\t\S.*\.\w+:\d+(?: \+0x[0-9a-f]+)?(?: fp=0x[0-9a-f]+ sp=0x[0-9a-f]+ pc=0x[0-9a-f]+)?$/;

type Rule = readonly [Shape, RegExp];

/** Rules for lines that begin with a blank or a tab: the first match wins. */
const INDENTED: readonly Rule[] = [
  [SHAPE.frame, /^[ \t]+at \S.*(?:\(|:\d)/],
  [SHAPE.cause, /^[ \t]+(?:Caused by: |Suppressed: |---> |\[cause\]: |\[CIRCULAR REFERENCE)/],
  [SHAPE.elided, /^[ \t]+(?:\.\.\. \d+ |--- End of )/],
  [SHAPE.pythonFrame, /^[ \t]+File "[^"]+", line \d+/],
  [SHAPE.traceback, TRACEBACK],
  [SHAPE.pythonGroup, /^ +[|+]/],
  [SHAPE.goDetail, /^\tpanic: /],
  [SHAPE.phpEnd, /^ {2}thrown in .* on line \d+$/],
  [SHAPE.rubyFrame, RUBY_FRAME],
  [SHAPE.goFrame, GO_FRAME],
  [SHAPE.caret, CARET],
  [SHAPE.numbered, /^[ \t]+\d+: /],
  [
    SHAPE.jsonMember,
    /^[ \t]+(?:"(?:[^"\\]|\\.)*(?:"[ \t]*(?::|,?$)|$)|[\]}[{]+,?$|-?\d[\d.eE+-]*,?$|(?:true|false|null),?$)/,
  ],
  [SHAPE.sixBlanks, /^ {6}/],
];

/** Rules for other lines: the first match wins. */
const OTHERS: readonly Rule[] = [
  [SHAPE.bareError, BARE_ERROR],
  [SHAPE.error, ERROR],
  [SHAPE.error, NAMED_ERROR],
  [SHAPE.error, /^(?:\[[^\]]*\] )?(?:PHP )?Fatal error: +Uncaught /],
  [SHAPE.errorOpen, ERROR_OPEN],
  [SHAPE.rubyHint, /^Did you mean\? /],
  [SHAPE.rubyError, /^\S+:\d+:in [`'][^'`]*[`'].*\((?:\w+::)*[A-Z]\w*\)$/],
  [SHAPE.cause, /^(?:Caused by|Suppressed|Wrapped by):/],
  [
    SHAPE.elided,
    /^(?:--- End of (?:inner|stack) |\.\.\.(?:\d+|additional) frames elided|Emitted '[^']*' event (?:on \S+ instance )?at:$)/,
  ],
  [SHAPE.traceback, TRACEBACK],
  [
    SHAPE.pythonChain,
    /^(?:During handling of the above exception, another exception occurred|The above exception was the direct cause of the following exception):$/,
  ],
  [SHAPE.goPanic, /^(?:panic: |fatal error: |SIG[A-Z]+: )/],
  [SHAPE.goDetail, /^(?:\[signal |(?:r\w{1,5}|[cfg]s) +0x[0-9a-f]+$|PC=0x[0-9a-f]+ |signal arrived during )/],
  [SHAPE.goroutine, /^(?:goroutine \d+ [^[]*\[[^\]]*\]|runtime stack):$/],
  [SHAPE.goCall, /^(?:created by \S+(?: in goroutine \d+)?$|(?=.*\)$)(?:panic\(.|[\w/%~.-]+\.[\w(*[]))/],
  [SHAPE.goExit, /^exit status \d+$/],
  [SHAPE.rubyFrame, RUBY_FRAME],
  [SHAPE.rustPanicOpen, /^thread '[^']*'(?: \(\d+\))? panicked at .*:$/],
  [SHAPE.rustPanic, /^thread '[^']*'(?: \(\d+\))? panicked at /],
  [SHAPE.backtrace, /^[Ss]tack backtrace:$/],
  [SHAPE.rustNote, /^note: /],
  [SHAPE.nodeFile, /^(?:file:\/\/|node:|\/)\S+:\d+$/],
  [SHAPE.caret, CARET],
  [SHAPE.nodeVersion, /^Node\.js v\d/],
  // SQLAlchemy and psycopg.
  [SHAPE.detail, /^(?:\[(?:SQL|parameters): |\(Background on this error at: https?:|LINE \d+: )/],
  [SHAPE.phpTrace, /^(?:Stack trace:|\[stacktrace\])$/],
  [SHAPE.phpFrame, /^#\d+ /],
  [SHAPE.phpNext, /^(?:Next [\w\\]+: |\[previous exception\] )/],
  [SHAPE.phpEnd, /^"\} *$/],
  [SHAPE.springRule, /^\*{27}$/],
  [SHAPE.springTitle, /^APPLICATION FAILED TO START$/],
  [SHAPE.springDescription, /^Description:$/],
  [SHAPE.springAction, /^Action:$/],
  [SHAPE.dotnetHead, /^(?:fail|crit): \S+\[\d+\]$/],
  [SHAPE.jsonClose, /^[\]}]+,?$/],
  [SHAPE.className, /^(?:(?:[A-Za-z_]\w*\.)+\w+|[A-Z][a-z]+(?:[A-Z][a-z]+)+)(?:: |:?$)/],
];

/** Tests in one step whether any of them matches: mostly none does. */
const ANY_INDENTED = anyOf(INDENTED);
const ANY_OTHER = anyOf(OTHERS);

function anyOf(rules: readonly Rule[]): RegExp {
  return new RegExp(rules.map(([, { source }]) => `(?:${source})`).join('|'));
}

/** A line without a level that a trace may follow. */
const NAMES_ERROR = /[Ee]rror|[Ee]xception|Throwable|panic|[Ff]ail(?:ed|ure)/;
/**
 * The beginning of a time, or of a JSON record on one line: no part of a record begins like this, except the head of
 * JSON.
 */
const QUICK = /^(?:\d|\{")/;

/** How a line of a format without a level begins: with a digit, a bracket, a quote, a pair (`user=7`), a request. */
const HAS_FORMAT = /^(?:[\d{[<"']|[\w.@-]+[=:]\S|[A-Z]{3,7} \/)/;
/** Units of a line among which its time is. */
const MAX_TIME_TEXT = 40;
const TIME = /\d:\d\d:\d\d/;

/** Whether a line without a level has no other format of its own either. */
function isFormless(head: string): boolean {
  if (HAS_FORMAT.test(head)) return false;
  const colon = head.indexOf(':');
  return colon === -1 || colon > MAX_TIME_TEXT || !TIME.test(head.slice(0, MAX_TIME_TEXT + 8));
}

/**
 * Returns the shape of a line; `level`: its own, as an index of LEVELS (LEVELS.length: none). `text` may end one unit
 * after MAX_SHAPE_TEXT.
 */
export function shapeOf(text: string, level: number): Shape {
  const head = headOf(text);
  const first = head.charCodeAt(0);
  if (first === BLANK || first === TAB) return shapeOfIndented(head);
  if (Number.isNaN(first)) return SHAPE.blank;
  if ((level <= WARN || level === LEVELS.length) && isField(head)) return SHAPE.field;
  const found = !QUICK.test(head) && ANY_OTHER.test(head) ? find(OTHERS, head) : undefined;
  if (found !== undefined) return found;
  if (text.length <= MAX_SHAPE_TEXT && opensJson(head)) return SHAPE.jsonOpen;
  return isAlarm(head, level) ? alarmShape(head, level) : plainShape(head, level);
}

function alarmShape(head: string, level: number): Shape {
  return level === LEVELS.length && isFormless(head) ? SHAPE.alarmText : SHAPE.alarm;
}

function plainShape(head: string, level: number): Shape {
  return level === LEVELS.length && isFormless(head) ? SHAPE.text : SHAPE.plain;
}

/**
 * Returns a test whether a line may have one of these shapes: of lines that begin with a blank, only that of a blank
 * line.
 */
export function shapeTest(shapes: readonly Shape[]): (text: string) => boolean {
  const pattern = anyOf(OTHERS.filter(([shape]) => shapes.includes(shape)));
  const isBlank = (head: string) => shapes.includes(SHAPE.blank) && head.trim() === '';
  return (text) => {
    const head = headOf(text);
    return pattern.test(head) || isBlank(head);
  };
}

/** What PostgreSQL writes below an error, with two blanks after the colon, as its clients do; a prefix may precede it. */
const FIELD = /(?:^|[^\w"'])(?:DETAIL|HINT|QUERY|CONTEXT|LOCATION|STATEMENT|BACKTRACE)$/;

function isField(head: string): boolean {
  const end = head.indexOf(':  ');
  return end !== -1 && FIELD.test(head.slice(0, end));
}

const BLANK = 0x20;
const TAB = 0x09;
const RETURN = 0x0d;

/** Returns the examined part of a line: without colors, and without the carriage return of Windows line ends. */
function headOf(text: string): string {
  const cut = text.length > MAX_SHAPE_TEXT ? text.slice(0, MAX_SHAPE_TEXT) : text;
  const plain = stripSgrText(cut).text;
  return plain.charCodeAt(plain.length - 1) === RETURN ? plain.slice(0, -1) : plain;
}

function shapeOfIndented(head: string): Shape {
  const found = ANY_INDENTED.test(head) ? find(INDENTED, head) : undefined;
  if (found === SHAPE.frame && head.endsWith(' {')) return SHAPE.frameOpen;
  if (found !== undefined) return found;
  return head.trim() === '' ? SHAPE.blank : SHAPE.indented;
}

function find(rules: readonly Rule[], head: string): Shape | undefined {
  for (const [shape, pattern] of rules) if (pattern.test(head)) return shape;
  return undefined;
}

/** `{`, `[`, or one of them after a blank, a colon or an equals sign. */
function opensJson(head: string): boolean {
  const last = head.at(-1);
  if (last !== '{' && last !== '[') return false;
  const before = head.at(-2);
  return before === undefined || ' :=['.includes(before);
}

function isAlarm(head: string, level: number): boolean {
  // The line of a request in an access log has no trace.
  if (level <= WARN) return !isFailedRequest(head);
  return level === LEVELS.length && NAMES_ERROR.test(head);
}
