import { SHAPE, type Shape } from './line-shape.ts';

/**
 * State of the record after its last line. In states that begin with `?` it is uncertain whether its last lines belong
 * to the record: later lines decide.
 */
export type RecordState =
  | 'none'
  | 'alarm'
  | '?alarmBlank'
  | '?alarmError'
  | 'error'
  | '?errorMessage'
  | '?errorBlank'
  | '?snippet'
  | 'causes'
  | '?causesBlank'
  | 'thrown'
  | '?thrownMessage'
  | 'trace'
  | '?traceBlank'
  | 'fields'
  | 'python'
  | 'pythonEnd'
  | 'pythonMessage'
  | '?pythonMessage'
  | '?pythonBlank'
  | 'pythonChain'
  | '?pythonChainBlank'
  | 'go'
  | '?goBlank'
  | 'goStack'
  | 'goCall'
  | 'rubyHead'
  | '?rubyBlank'
  | 'rubySnippet'
  | 'ruby'
  | 'rust'
  | 'rustOpen'
  | '?rustMessage'
  | 'rustStack'
  | 'nodeFile'
  | '?nodeCode'
  | 'nodePrelude'
  | '?nodeBlank'
  | 'dotnet'
  | 'postgres'
  | '?postgresMessage'
  | 'php'
  | '?phpBlank'
  | 'phpNext'
  | '?phpMessage'
  | '?springRule'
  | 'spring'
  | 'springDescription'
  | '?springDescription'
  | 'springAction'
  | '?springAction'
  | 'jsonHead'
  | 'json'
  | 'closed';

type Row = readonly [state: RecordState, shapes: readonly (keyof typeof SHAPE)[]];

/** The states in which a line begins a record: nothing can follow it in 'none'. */
const STARTS: readonly Row[] = [
  ['alarm', ['alarm', 'alarmText']],
  ['error', ['error', 'bareError']],
  ['rubyHead', ['rubyError']],
  // Lines separated from their head by the beginning of a log, or by lines in between.
  ['trace', ['frame', 'elided']],
  ['thrown', ['cause']],
  ['fields', ['frameOpen', 'errorOpen']],
  ['python', ['traceback', 'pythonFrame']],
  ['go', ['goPanic']],
  ['goStack', ['goroutine']],
  ['ruby', ['rubyFrame']],
  ['rust', ['rustPanic']],
  ['rustOpen', ['rustPanicOpen']],
  ['rustStack', ['backtrace']],
  ['nodeFile', ['nodeFile']],
  ['dotnet', ['dotnetHead']],
  ['jsonHead', ['jsonOpen']],
];

/** Lines that begin with a blank, whatever else they are. */
const INDENTED = [
  'indented',
  'sixBlanks',
  'frame',
  'frameOpen',
  'cause',
  'elided',
  'pythonFrame',
  'goFrame',
  'rubyFrame',
  'numbered',
  'caret',
  'jsonMember',
] as const;
const ERRORS = ['error', 'bareError', 'className'] as const;
/** Possible shapes of a message or of a program's code. */
const ANY_TEXT = [
  'plain',
  'text',
  'alarm',
  'alarmText',
  'detail',
  'field',
  ...ERRORS,
  ...INDENTED,
  'goCall',
  'jsonOpen',
  'jsonClose',
] as const;
/** Possible shapes of further lines of an exception's message. */
const MESSAGE = ['text', 'alarmText', 'className', 'detail', 'indented', 'sixBlanks', 'caret'] as const;

/** Frames, and the exceptions between them. */
const FRAMES: readonly Row[] = [
  ['trace', ['frame', 'elided']],
  ['thrown', ['cause']],
  ['fields', ['frameOpen']],
];

/** What may follow a line that reports a failure. */
const AFTER_ERROR: readonly Row[] = [
  ...FRAMES,
  ['python', ['traceback']],
  ['goStack', ['goroutine']],
  ['ruby', ['rubyFrame']],
  ['rustStack', ['backtrace']],
  ['php', ['phpTrace']],
];

/** What may follow the line of a Python trace that names the exception. */
const PYTHON_END: readonly Row[] = [
  ['python', ['pythonGroup']],
  ['?pythonMessage', ['text', 'alarmText', 'className']],
  ['pythonMessage', ['detail', 'field', 'indented', 'sixBlanks', 'caret']],
  ['pythonChain', ['pythonChain']],
  ['?pythonBlank', ['blank']],
];

/**
 * For each state: which lines belong to the record, and the state after them. All others end it. A line joins by its
 * own text and by preceding lines of the same container, never by those of another.
 */
const TRANSITIONS: Readonly<Record<RecordState, readonly Row[]>> = {
  none: [],
  closed: [],
  alarm: [
    ...AFTER_ERROR,
    ['error', ['error']],
    ['fields', ['errorOpen']],
    ['rubyHead', ['rubyError']],
    ['postgres', ['field']],
    ['?postgresMessage', ['indented', 'sixBlanks']],
    ['?alarmBlank', ['blank']],
  ],
  // Spring Boot writes an empty line before the exception, Ruby's Logger before the line that raised.
  '?alarmBlank': [
    ['?snippet', ANY_TEXT],
    ['?alarmError', ['error', 'className']],
    ['?springRule', ['springRule']],
    ['python', ['traceback']],
    ['goStack', ['goroutine']],
  ],
  // After an empty line only a frame proves that the exception is that of the record.
  '?alarmError': [...FRAMES, ['?errorMessage', MESSAGE]],
  error: [...AFTER_ERROR, ['?errorMessage', MESSAGE], ['?errorBlank', ['blank']]],
  // Runtimes write an exception with its message in one piece, and then its frames (test/recorded/processes): only a
  // frame proves that lines without a format of their own are of the message.
  '?errorMessage': [
    ['?errorMessage', MESSAGE],
    ['trace', ['frame']],
    ['fields', ['frameOpen']],
    ['php', ['phpTrace']],
  ],
  // anyhow (Rust): `Error: ...`, an empty line, `Caused by:`, the causes, an empty line, `Stack backtrace:`.
  '?errorBlank': [
    ['?snippet', ANY_TEXT],
    ['causes', ['cause']],
  ],
  // Ruby 3.1 and newer: an empty line, the line that raised, and `^^^` below it.
  '?snippet': [['rubySnippet', ['caret']]],
  causes: [
    ['causes', ['numbered', 'indented', 'sixBlanks']],
    ['?causesBlank', ['blank']],
  ],
  '?causesBlank': [['rustStack', ['backtrace']]],
  // Java, Node and .NET.
  trace: [...FRAMES, ['?traceBlank', ['blank']]],
  thrown: [...FRAMES, ['?thrownMessage', MESSAGE], ['?traceBlank', ['blank']]],
  '?thrownMessage': [
    ['?thrownMessage', MESSAGE],
    ['trace', ['frame', 'elided']],
    ['fields', ['frameOpen']],
  ],
  '?traceBlank': [
    ['closed', ['nodeVersion']],
    // .NET separates the exceptions of an AggregateException by an empty line, some loggers the causes of Java.
    ['thrown', ['cause']],
  ],
  // Node: `{ code: 'ECONNREFUSED', [cause]: ... }` after the frames.
  fields: [
    ['trace', ['jsonClose']],
    ['fields', INDENTED],
  ],
  python: [
    ['python', [...INDENTED, 'pythonGroup']],
    ['pythonEnd', ERRORS],
    // After an exception group.
    ['?pythonBlank', ['blank']],
  ],
  pythonEnd: PYTHON_END,
  // Nothing follows the last message: only its own later lines, or the next traceback, prove that lines are of it.
  pythonMessage: PYTHON_END,
  '?pythonMessage': PYTHON_END,
  '?pythonBlank': [['pythonChain', ['pythonChain']]],
  pythonChain: [
    ['python', ['traceback']],
    ['?pythonChainBlank', ['blank']],
  ],
  '?pythonChainBlank': [['python', ['traceback']]],
  go: [
    // Go indents further lines of the panic's message.
    ['go', ['goDetail', 'indented', 'sixBlanks']],
    ['goStack', ['goroutine']],
    ['closed', ['goExit']],
    ['?goBlank', ['blank']],
  ],
  '?goBlank': [
    ['go', ['goDetail']],
    ['goStack', ['goroutine']],
    ['closed', ['goExit']],
  ],
  goStack: [
    ['goCall', ['goCall']],
    ['goStack', ['elided']],
    ['go', ['goDetail']],
    ['closed', ['goExit']],
    ['?goBlank', ['blank']],
  ],
  goCall: [['goStack', ['goFrame']]],
  rubyHead: [...AFTER_ERROR, ['?rubyBlank', ['blank']]],
  '?rubyBlank': [['?snippet', ANY_TEXT]],
  rubySnippet: [
    // Further suggestions are indented.
    ['rubySnippet', ['rubyHint', 'indented', 'sixBlanks']],
    ['ruby', ['rubyFrame']],
    ['rubyHead', ['rubyError']],
  ],
  ruby: [
    ['ruby', ['rubyFrame', 'elided']],
    ['rubyHead', ['rubyError']],
  ],
  rust: [
    ['rust', ['rustNote']],
    ['rustStack', ['backtrace']],
  ],
  // The message of the panic, whose further lines are indented: only what follows proves that it was one.
  rustOpen: [['?rustMessage', ANY_TEXT]],
  '?rustMessage': [
    ['?rustMessage', ['indented', 'sixBlanks']],
    ['rust', ['rustNote']],
    ['rustStack', ['backtrace']],
  ],
  rustStack: [
    ['rustStack', ['numbered', 'frame', 'elided']],
    ['rust', ['rustNote']],
  ],
  // The line that threw comes before the caret.
  nodeFile: [['?nodeCode', ANY_TEXT]],
  '?nodeCode': [['nodePrelude', ['caret']]],
  nodePrelude: [
    ['error', ERRORS],
    ['fields', ['errorOpen']],
    ['?nodeBlank', ['blank']],
  ],
  '?nodeBlank': [
    ['error', ERRORS],
    ['fields', ['errorOpen']],
  ],
  dotnet: [['dotnet', ['sixBlanks', 'frame', 'cause', 'elided', 'numbered', 'jsonMember']]],
  // A server writes an error with its fields in one piece, and indents their further lines (test/recorded/processes).
  postgres: [['postgres', ['field', ...INDENTED]]],
  '?postgresMessage': [
    ['?postgresMessage', ['indented', 'sixBlanks']],
    ['postgres', ['field']],
  ],
  php: [
    ['php', ['phpFrame']],
    ['phpNext', ['phpNext']],
    ['closed', ['phpEnd']],
    ['?phpBlank', ['blank']],
  ],
  '?phpBlank': [['phpNext', ['phpNext']]],
  phpNext: [
    ['php', ['phpTrace']],
    ['?phpMessage', MESSAGE],
  ],
  '?phpMessage': [
    ['?phpMessage', MESSAGE],
    ['php', ['phpTrace']],
  ],
  // Spring Boot: the part `Action` proves what is in the part `Description`, and a last empty line what is in `Action`.
  '?springRule': [['spring', ['springTitle']]],
  spring: [
    ['spring', ['springRule', 'blank']],
    ['springDescription', ['springDescription']],
  ],
  springDescription: [['?springDescription', [...MESSAGE, 'blank']]],
  '?springDescription': [
    ['?springDescription', [...MESSAGE, 'blank']],
    ['springAction', ['springAction']],
  ],
  springAction: [
    ['springAction', ['blank']],
    ['?springAction', MESSAGE],
  ],
  '?springAction': [
    ['?springAction', MESSAGE],
    ['closed', ['blank']],
  ],
  jsonHead: [
    ['json', ['jsonMember']],
    ['closed', ['jsonClose']],
  ],
  json: [
    ['json', ['jsonMember']],
    ['closed', ['jsonClose']],
  ],
};

function byShape(rows: readonly Row[]): ReadonlyMap<Shape, RecordState> {
  return new Map(rows.flatMap(([state, shapes]) => shapes.map((shape) => [SHAPE[shape], state] as const)));
}

const STATE_OF_START = byShape(STARTS);
const NEXT = Object.fromEntries(
  Object.entries(TRANSITIONS).map(([state, rows]) => [state, byShape(rows)]),
) as Record<RecordState, ReadonlyMap<Shape, RecordState>>;

/** Returns the state after the first line of a record. */
export function startOf(shape: Shape): RecordState {
  return STATE_OF_START.get(shape) ?? 'none';
}

/** Returns the state after another line; undefined: it does not belong to the record. */
export function stateAfter(state: RecordState, shape: Shape): RecordState | undefined {
  return NEXT[state].get(shape);
}

/** Whether lines in this state wait for proof that they belong to the record. */
export function isUncertain(state: RecordState): boolean {
  return state.startsWith('?');
}

/**
 * States after a further line of a message, which by itself may look like any other line, or names none of the processes
 * that write such lines.
 */
const MESSAGES: ReadonlySet<RecordState> = new Set([
  '?errorMessage',
  '?thrownMessage',
  'pythonMessage',
  '?pythonMessage',
  'postgres',
  '?postgresMessage',
  '?phpMessage',
  '?springDescription',
  '?springAction',
]);

/** Whether the last line is a further line of a message. */
export function isMessage(state: RecordState): boolean {
  return MESSAGES.has(state);
}
