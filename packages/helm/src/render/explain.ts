import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { helmFailure } from '../failures.ts';
import { WARNING_END, WARNING_START } from '../functions/helm/engine.ts';
import { ExecError, type GoError, ParseError } from '../template/errors.ts';

/** Returns Helm 4's message for a template error, after `Error: `. */
function helmMessage(error: GoError): string {
  if (error instanceof ParseError) return parseMessage(error.message);
  if (!(error instanceof ExecError)) return error.message;
  return warningMessage(error.message) ?? trace(error) ?? withoutRepetition(error);
}

function parseMessage(message: string): string {
  const tokens = message.split(': ');
  return tokens.length === 1 ? message : `parse error at (${tokens[1]}): ${tokens[tokens.length - 1]}`;
}

/** Returns the message given to `required` or `fail`, without the call path. */
function warningMessage(message: string): string | undefined {
  const tokens = splitAtMost(message, ': ', 3);
  if (tokens.length !== 3) return message;
  const [, location] = tokens;
  const start = message.indexOf(WARNING_START);
  const end = message.lastIndexOf(WARNING_END);
  if (start < 0 || end < start) return undefined;
  return `execution error at (${location}): ${message.slice(start + WARNING_START.length, end)}`;
}

function splitAtMost(text: string, separator: string, count: number): string[] {
  const sections = text.split(separator);
  return sections.length <= count
    ? sections
    : [...sections.slice(0, count - 1), sections.slice(count - 1).join(separator)];
}

/** Maximum number of characters to show. */
const MAX_MESSAGE_CHARACTERS = 200_000;

function shortened(message: string): string {
  if (message.length <= MAX_MESSAGE_CHARACTERS) return message;
  const half = MAX_MESSAGE_CHARACTERS / 2;
  return `${message.slice(0, half)} … ${message.slice(-half)}`;
}

/** Returns the message, with each step of recursive template calls only once. */
function withoutRepetition(error: GoError): string {
  const steps = new Set<string>();
  let last: GoError = error;
  for (let current: GoError | undefined = error; current !== undefined; current = current.wrapped) {
    steps.add(current.own);
    last = current;
  }
  // Another template's message in the chain may equal the last one.
  steps.delete(last.own);
  return [...steps, last.own].join('');
}

interface Step {
  readonly location: string;
  readonly executing: string;
  readonly message: string;
}

/**
 * Returns each template on the way to the error, with its location; undefined if another kind of error is in the chain.
 */
function trace(error: GoError): string | undefined {
  let text = '';
  let last: Step | undefined;
  for (let current: GoError | undefined = error; current !== undefined; current = current.wrapped) {
    const step = readStep(current.own + (current.wrapped?.own ?? ''));
    if (step === undefined) return undefined;
    const isSame =
      last !== undefined &&
      last.location === step.location &&
      last.executing === step.executing &&
      last.message === step.message;
    if (isSame) continue;
    last = step;
    if (step.location !== '') text += `${step.location}\n  `;
    if (step.executing !== '') text += `${step.executing}\n    `;
    if (step.message !== '') text += `${step.message}\n`;
  }
  return text.trim();
}

function readStep(message: string): Step | undefined {
  if (!message.startsWith('template: ')) return undefined;
  const rest = message.slice('template: '.length);
  if (rest.startsWith('no template ')) return { location: '', executing: '', message };
  return readExecuting(rest) ?? readSimple(rest);
}

function readExecuting(rest: string): Step | undefined {
  const mark = ': executing ';
  const at = rest.indexOf(mark);
  if (at < 0) return undefined;
  const found = /^"([^"]*)" at </.exec(rest.slice(at + mark.length));
  if (found === null) return undefined;
  const context = rest.slice(at + mark.length + found[0].length);
  const end = context.indexOf('>: ');
  if (end < 0) return undefined;
  return {
    location: rest.slice(0, at),
    executing: `executing "${found[1]}" at <${context.slice(0, end)}>:`,
    message: withoutNested(context.slice(end + '>: '.length)),
  };
}

function readSimple(rest: string): Step | undefined {
  const at = rest.lastIndexOf(': ');
  if (at < 0) return undefined;
  return { location: rest.slice(0, at), executing: '', message: withoutNested(rest.slice(at + 2)) };
}

function withoutNested(message: string): string {
  const at = message.indexOf(' template:');
  return at < 0 ? message : message.slice(0, at);
}

/** Returns the displayed error of a template; its cause keeps Go's own message. */
export function renderError(error: GoError): CodedError {
  const isAsked = error.message.includes(WARNING_START);
  return helmFailure('template-failed', { isAsked, why: shortened(helmMessage(error)) }, { cause: error });
}
