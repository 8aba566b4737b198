import { LEVELS } from '../filter.ts';
import { MESSAGE_KEYS } from '../structured/message-keys.ts';
import { SHAPE, type Shape, shapeOf } from './line-shape.ts';
import { isMessage, type RecordState, startOf, stateAfter } from './record-rules.ts';

/** What a reader sees of a folded record. Numbers are indexes of its lines. */
export interface RecordSummary {
  readonly isJson: boolean;
  /**
   * Further lines of the messages of exceptions. By themselves they look like other lines: a fold shows them, so that it
   * hides none that another part of the program wrote in between.
   */
  readonly message: readonly number[];
  /** Number of stack frames. */
  readonly frames: number;
  /** The line that names the original failure, if that is not the head. */
  readonly cause: number | undefined;
  /** The first frame, from where the cause was thrown, that belongs neither to a library nor to the runtime. */
  readonly ownFrame: number | undefined;
  /** For JSON: the member with its message, else its first members. */
  readonly members: readonly number[];
}

const NO_LEVEL = LEVELS.length;
const ERROR = LEVELS.indexOf('error');

/**
 * Returns the level of a whole record, as an index of LEVELS (LEVELS.length: none): that of its head; otherwise, for
 * JSON, the first level of a member; otherwise a trace is an error. `levels`: the level of each line by itself, the
 * head first.
 */
export function levelOfRecord(levels: readonly number[], isJson: boolean): number {
  const own = levels[0] ?? NO_LEVEL;
  if (own !== NO_LEVEL) return own;
  return isJson ? (levels.find((level) => level !== NO_LEVEL) ?? NO_LEVEL) : ERROR;
}

/** Describes a record of several lines, the head first. */
export function summarize(lines: readonly string[]): RecordSummary {
  const shapes = lines.map((line) => shapeOf(line, NO_LEVEL));
  const isJson = shapes[0] === SHAPE.jsonOpen;
  if (isJson) {
    const members = membersOf(lines);
    return { isJson, message: [], frames: 0, cause: undefined, ownFrame: undefined, members };
  }
  const message = messageLines(shapes);
  const backtrace = shapes.indexOf(SHAPE.backtrace);
  const isFrame = (shape: Shape, index: number) =>
    FRAMES.has(shape) || (shape === SHAPE.numbered && backtrace !== -1 && index > backtrace);
  // Each frame of a Rust backtrace has a number, and mostly a second line.
  const counted = (shape: Shape, index: number) =>
    isFrame(shape, index) && !(shape === SHAPE.frame && backtrace !== -1 && index > backtrace);
  const inMessage = new Set(message);
  const named = shapes.map((shape, index) => (inMessage.has(index) ? SHAPE.text : shape));
  const cause = causeOf(lines, named);
  return {
    isJson,
    message,
    frames: shapes.filter(counted).length,
    cause,
    ownFrame: ownFrameOf(lines, shapes, cause),
    members: [],
  };
}

/** Returns the further lines of messages: those that only later lines, or their place, show to be of the record. */
function messageLines(shapes: readonly Shape[]): readonly number[] {
  let state: RecordState = 'none';
  return shapes.flatMap((shape, index) => {
    state = stateAfter(state, shape) ?? beginning(shape);
    return isMessage(state) && shape !== SHAPE.blank ? [index] : [];
  });
}

/** The state after a head; without its level, it may look like a line that begins no record. */
function beginning(shape: Shape): RecordState {
  const state = startOf(shape);
  return state === 'none' ? 'alarm' : state;
}

/** How many members are shown of JSON without a message. */
const SHOWN_MEMBERS = 3;

/** Returns the members of the outermost object: those with the least indentation, which the first one has. */
function membersOf(lines: readonly string[]): readonly number[] {
  const indent = /^[ \t]*/.exec(lines[1] ?? '')?.[0] ?? '';
  const outer = lines.flatMap((line, index) => (line.startsWith(`${indent}"`) && index > 0 ? [index] : []));
  for (const key of MESSAGE_KEYS) {
    const found = outer.find((index) => lines[index]!.startsWith(`${indent}"${key}"`));
    if (found !== undefined) return [found];
  }
  return outer.slice(0, SHOWN_MEMBERS);
}

/** Shapes of lines that represent a frame. */
const FRAMES: ReadonlySet<Shape> = new Set([
  SHAPE.frame,
  SHAPE.frameOpen,
  SHAPE.pythonFrame,
  SHAPE.goFrame,
  SHAPE.rubyFrame,
  SHAPE.phpFrame,
]);
const ERRORS: ReadonlySet<Shape> = new Set([
  SHAPE.error,
  SHAPE.errorOpen,
  SHAPE.bareError,
  SHAPE.className,
  SHAPE.rubyError,
]);
/** Java indents suppressed exceptions, and their causes: they are not in the chain of causes. */
const BESIDE = /^[ \t]+(?:Caused by|Suppressed): |^Suppressed: /;
/** anyhow lists the causes below it. */
const LISTED = /^Caused by:\s*$/;
const EXCEPTION = /\w(?:Exception|Error)\b/;

function causeOf(lines: readonly string[], shapes: readonly Shape[]): number | undefined {
  const isChained = (shape: Shape, index: number) => shape === SHAPE.cause && !BESIDE.test(lines[index]!);
  // The deepest cause is the last one in Java, Node, .NET and Ruby, and the first one in Python.
  const cause = shapes.findLastIndex(isChained);
  if (cause !== -1) return LISTED.test(lines[cause]!) ? lastListed(shapes, cause) : cause;
  const isError = (shape: Shape, index: number) => index > 0 && ERRORS.has(shape);
  const isPython = shapes.includes(SHAPE.traceback);
  const error = isPython ? shapes.findIndex(isError) : shapes.findLastIndex(isError);
  if (shapes[0] !== SHAPE.dotnetHead) return error !== -1 ? error : messageOf(shapes);
  const thrown = lines.findIndex((line, index) => index > 0 && EXCEPTION.test(line));
  return thrown === -1 ? 1 : thrown;
}

/** Returns the message of a Rust panic that is on the next line. */
function messageOf(shapes: readonly Shape[]): number | undefined {
  return shapes[0] === SHAPE.rustPanicOpen ? 1 : undefined;
}

/** anyhow lists the causes below `Caused by:`, the deepest one last. */
function lastListed(shapes: readonly Shape[], cause: number): number {
  let last = cause;
  while (shapes[last + 1] === SHAPE.numbered || shapes[last + 1] === SHAPE.indented) last++;
  return last;
}

/**
 * Signs of frames from libraries and runtimes: the packages that programs mostly consist of, and the folders where
 * package managers install.
 */
const LIBRARIES: readonly RegExp[] = [
  // Java, Kotlin, Scala; a module or class loader may precede the class.
  /^\s*at (?:[\w.@$-]*\/+)*(?:javax?|jdk|jakarta|sun|com\.sun|kotlinx?|scala|groovy|org\.(?:springframework|apache|hibernate|eclipse|slf4j|jboss|postgresql|jooq|junit)|ch\.qos|io\.(?:netty|undertow|grpc|micrometer|vertx|quarkus)|reactor|rx|com\.(?:fasterxml|zaxxer|mysql|google|netflix)|okhttp3|okio|feign|akka|clojure)\./,
  /^\s*at (?:async )?(?:System|Microsoft|lambda_method|Npgsql)[.(]/,
  /node_modules\/|[( ](?:node:|internal\/)|<anonymous>|\(native\)/,
  /\/(?:site|dist)-packages\/|\/lib\/python\d|"<frozen /,
  /^\t\S*(?:\/go\/(?:src|pkg\/mod)|\/libexec\/src|\/vendor|\/pkg\/mod|\/toolchain@[\w.-]*\/src)\/|^\t_testmain\.go/,
  /^#\d+ (?:\{main\}|\[internal function\]|\S*\/vendor\/)/,
  /\/gems\/|\/lib\/ruby\/|<internal:/,
  /\/rustc\/|\/\.cargo\/|\/rustlib\//,
];

function ownFrameOf(
  lines: readonly string[],
  shapes: readonly Shape[],
  cause: number | undefined,
): number | undefined {
  const isOwn = (line: string, index: number) =>
    FRAMES.has(shapes[index]!) && !LIBRARIES.some((library) => library.test(line));
  const own = lines.flatMap((line, index) => (isOwn(line, index) ? [index] : []));
  // Python lists the most recent call last, before the error.
  if (shapes.includes(SHAPE.pythonFrame)) return own.findLast((index) => index < (cause ?? lines.length));
  return own.find((index) => index > (cause ?? 0)) ?? own[0];
}
