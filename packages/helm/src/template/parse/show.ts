import { byteLength } from '../../value/bytes.ts';
import { quote } from '../../value/quote.ts';
import type {
  ActionNode,
  BranchNode,
  CommandNode,
  JumpNode,
  ListNode,
  Node,
  Operand,
  PipeNode,
  StopNode,
  TemplateNode,
  TextNode,
} from './node.ts';

type Shown = Node | Operand | ListNode | CommandNode | StopNode;

/** Formats a node like text/template does in errors: its source with normalized spacing. */
export function show(node: Shown): string {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'list':
      return node.nodes.map(show).join('');
    case 'action':
      return `{{${show(node.pipe)}}}`;
    case 'if':
    case 'with':
    case 'range':
      return showBranch(node);
    case 'template':
      return `{{template ${quote(node.name)}${node.pipe === undefined ? '' : ` ${show(node.pipe)}`}}}`;
    case 'break':
    case 'continue':
    case 'end':
    case 'else':
      return `{{${node.kind}}}`;
    case 'pipe':
      return showPipe(node);
    case 'command':
      return node.args.map(parenthesized).join(' ');
    case 'identifier':
      return node.name;
    case 'variable':
      return node.path.join('.');
    case 'field':
      return node.path.map((name) => `.${name}`).join('');
    case 'chain':
      return parenthesized(node.of) + node.path.map((name) => `.${name}`).join('');
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'bool':
      return String(node.value);
    case 'string':
    case 'number':
      return node.literal;
  }
}

function parenthesized(node: Operand): string {
  return node.kind === 'pipe' ? `(${show(node)})` : show(node);
}

function showPipe(pipe: PipeNode): string {
  const commands = pipe.commands.map(show).join(' | ');
  if (pipe.variables.length === 0) return commands;
  return `${pipe.variables.map(show).join(', ')} ${pipe.isAssignment ? '=' : ':='} ${commands}`;
}

function showBranch(node: BranchNode): string {
  const otherwise = node.otherwise === undefined ? '' : `{{else}}${show(node.otherwise)}`;
  return `{{${node.kind} ${show(node.pipe)}}}${show(node.list)}${otherwise}{{end}}`;
}

/** Nodes that errors can point at. */
export type SourceNode =
  | Operand
  | CommandNode
  | ActionNode
  | BranchNode
  | TemplateNode
  | TextNode
  | JumpNode
  | ListNode;

/** Returns `NAME:LINE:COLUMN`; the column counts bytes from zero, on every line, as in Go. */
export function location(node: SourceNode): string {
  const { name, text } = node.source;
  const before = text.slice(0, node.at);
  const lineStart = before.lastIndexOf('\n') + 1;
  let line = 1;
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) line++;
  return `${name}:${line}:${byteLength(before.slice(lineStart))}`;
}
