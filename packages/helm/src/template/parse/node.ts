/** The source text of a node, for positions in errors. */
export interface Source {
  /** The name of the parsed text: `chart/templates/x.yaml`. */
  readonly name: string;
  readonly text: string;
}

interface Placed {
  readonly source: Source;
  /** The start, in UTF-16 units of the source text. */
  readonly at: number;
}

export interface ListNode extends Placed {
  readonly kind: 'list';
  readonly nodes: Node[];
}
export interface TextNode extends Placed {
  readonly kind: 'text';
  readonly text: string;
}
export interface ActionNode extends Placed {
  readonly kind: 'action';
  readonly pipe: PipeNode;
}
export interface BranchNode extends Placed {
  readonly kind: 'if' | 'with' | 'range';
  readonly pipe: PipeNode;
  readonly list: ListNode;
  readonly otherwise: ListNode | undefined;
}
export interface TemplateNode extends Placed {
  readonly kind: 'template';
  readonly name: string;
  readonly pipe: PipeNode | undefined;
}
export interface JumpNode extends Placed {
  readonly kind: 'break' | 'continue';
}
/** `{{end}}` and `{{else}}`: never part of a finished tree. */
export interface StopNode extends Placed {
  readonly kind: 'end' | 'else';
}

export interface PipeNode extends Placed {
  readonly kind: 'pipe';
  readonly isAssignment: boolean;
  readonly variables: readonly VariableNode[];
  readonly commands: readonly CommandNode[];
}
export interface CommandNode extends Placed {
  readonly kind: 'command';
  readonly args: readonly Operand[];
}
export interface IdentifierNode extends Placed {
  readonly kind: 'identifier';
  readonly name: string;
}
/** `$x.y`: the name with its dollar, then the fields. */
export interface VariableNode extends Placed {
  readonly kind: 'variable';
  readonly path: readonly string[];
}
export interface FieldNode extends Placed {
  readonly kind: 'field';
  readonly path: readonly string[];
}
export interface ChainNode extends Placed {
  readonly kind: 'chain';
  readonly of: Operand;
  readonly path: readonly string[];
}
export interface DotNode extends Placed {
  readonly kind: 'dot' | 'nil';
}
export interface BoolNode extends Placed {
  readonly kind: 'bool';
  readonly value: boolean;
}
export interface StringNode extends Placed {
  readonly kind: 'string';
  readonly literal: string;
  readonly value: string;
}
export interface NumberNode extends Placed {
  readonly kind: 'number';
  readonly literal: string;
  /** The number in each Go kind that represents it without loss. */
  readonly int: bigint | undefined;
  readonly uint: bigint | undefined;
  readonly float: number | undefined;
}

export type Operand =
  | IdentifierNode
  | VariableNode
  | FieldNode
  | ChainNode
  | DotNode
  | BoolNode
  | StringNode
  | NumberNode
  | PipeNode;

export type Node = TextNode | ActionNode | BranchNode | TemplateNode | JumpNode;

/** A named template, ready to run. */
export interface Tree {
  readonly name: string;
  readonly root: ListNode;
}
