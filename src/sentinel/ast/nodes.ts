import type { Comment } from '../scanner/tokens';
import type { SourceText, Span } from '../source/source-text';

/** A parsed Sentinel text. */
export interface File {
  readonly source: SourceText;
  readonly imports: readonly Import[];
  readonly params: readonly Param[];
  readonly statements: readonly Statement[];
  readonly comments: readonly Comment[];
}

export interface Import extends Span {
  readonly kind: 'import';
  readonly path: string;
  readonly pathSpan: Span;
  readonly alias: Identifier | undefined;
}

export interface Param extends Span {
  readonly kind: 'param';
  readonly name: Identifier;
  readonly value: Expression | undefined;
}

export type Statement =
  | Assignment
  | If
  | For
  | CaseStatement
  | FunctionDeclaration
  | StatementBlock
  | Return
  | Branch
  | ExpressionStatement;

export type AssignmentOperator = '=' | '+=' | '-=' | '*=' | '/=' | '%=';

export interface Assignment extends Span {
  readonly kind: 'assignment';
  readonly target: Identifier | Index;
  readonly operator: AssignmentOperator;
  readonly value: Expression;
}

export interface If extends Span {
  readonly kind: 'if';
  readonly condition: Expression;
  readonly then: StatementBlock;
  readonly otherwise: If | StatementBlock | undefined;
}

export interface For extends Span {
  readonly kind: 'for';
  readonly collection: Expression;
  readonly names: readonly Identifier[];
  readonly body: StatementBlock;
}

export interface CaseStatement extends Span {
  readonly kind: 'case';
  readonly subject: Expression | undefined;
  readonly clauses: readonly CaseClause[];
}

/** A `when` of a `case`, or its `else`, which has no values. */
export interface CaseClause extends Span {
  readonly kind: 'clause';
  readonly values: readonly Expression[] | undefined;
  readonly statements: readonly Statement[];
}

export interface FunctionDeclaration extends Span {
  readonly kind: 'function declaration';
  readonly name: Identifier;
  readonly function: FunctionLiteral;
}

export interface StatementBlock extends Span {
  readonly kind: 'block';
  readonly statements: readonly Statement[];
}

export interface Return extends Span {
  readonly kind: 'return';
  readonly value: Expression;
}

export interface Branch extends Span {
  readonly kind: 'branch';
  readonly word: 'break' | 'continue';
}

export interface ExpressionStatement extends Span {
  readonly kind: 'expression';
  readonly expression: Expression;
}

export type Expression =
  | Identifier
  | Literal
  | ListLiteral
  | MapLiteral
  | FunctionLiteral
  | RuleExpression
  | Quantifier
  | Unary
  | Test
  | Binary
  | ParenthesizedExpression
  | Selector
  | Index
  | Slice
  | CallExpression;

export interface Identifier extends Span {
  readonly kind: 'identifier';
  readonly name: string;
}

export interface Literal extends Span {
  readonly kind: 'literal';
  readonly value: bigint | number | string;
}

export interface ListLiteral extends Span {
  readonly kind: 'list';
  readonly elements: readonly Expression[];
}

export interface MapLiteral extends Span {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

export interface MapEntry {
  readonly key: Expression;
  readonly value: Expression;
}

export interface FunctionLiteral extends Span {
  readonly kind: 'function';
  readonly parameters: readonly Identifier[];
  readonly body: StatementBlock;
}

export interface RuleExpression extends Span {
  readonly kind: 'rule';
  readonly when: Expression | undefined;
  readonly body: Expression;
}

export type QuantifierWord = 'all' | 'any' | 'filter' | 'map';

export interface Quantifier extends Span {
  readonly kind: 'quantifier';
  readonly word: QuantifierWord;
  readonly collection: Expression;
  readonly names: readonly Identifier[];
  readonly body: Expression;
}

export interface Unary extends Span {
  readonly kind: 'unary';
  readonly operator: '+' | '-' | 'not';
  /** The operator as written, such as `!` or `not`. */
  readonly written: string;
  readonly operand: Expression;
}

/** `is empty`, `is defined` and their opposites. */
export interface Test extends Span {
  readonly kind: 'test';
  readonly operand: Expression;
  readonly test: 'empty' | 'defined';
  readonly negated: boolean;
}

export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | 'else'
  | 'is'
  | '<'
  | '<='
  | '>'
  | '>='
  | 'contains'
  | 'in'
  | 'matches'
  | 'and'
  | 'or'
  | 'xor';

export interface Binary extends Span {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  /** Whether the written operator negates `operator`: `is not`, `!=`, `not in`, … */
  readonly negated: boolean;
  /** The operator as written: `==` or `is`. */
  readonly written: string;
  readonly operatorSpan: Span;
  readonly left: Expression;
  readonly right: Expression;
}

export interface ParenthesizedExpression extends Span {
  readonly kind: 'group';
  readonly expression: Expression;
}

export interface Selector extends Span {
  readonly kind: 'selector';
  readonly object: Expression;
  readonly name: Identifier;
}

export interface Index extends Span {
  readonly kind: 'index';
  readonly object: Expression;
  readonly index: Expression;
}

export interface Slice extends Span {
  readonly kind: 'slice';
  readonly object: Expression;
  readonly from: Expression | undefined;
  readonly to: Expression | undefined;
}

export interface CallExpression extends Span {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly arguments: readonly Expression[];
}
