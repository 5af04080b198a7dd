import { CLAIMS, linesOf, type Claim, type Message } from './message';
import { TERRAFORM, type Notation } from './notation';
import type { CureAction, Phrase, Reference } from './phrase';

/** The texts of a message. */
export interface Rendered {
  /** One short sentence: the object, and what happened. */
  readonly summary: string;
  /** All other lines, with one fact in each. The advice comes last. */
  readonly detail: string;
}

/**
 * Returns the texts of a message.
 *
 * @param kind the kind of object whose fields the message refers to.
 */
export function render(message: Message, notation: Notation = TERRAFORM, kind?: string): Rendered {
  const { summary, details, received, allowed, claims = [], cures, appendix } = message;
  const write = (text: Phrase) => renderPhrase(text, notation, kind);
  const facts = [
    ...linesOf(details).map(write),
    ...(received === undefined ? [] : [`Received: ${withStop(write(received))}`]),
    ...(allowed === undefined ? [] : [`Allowed: ${withStop(write(allowed))}`]),
  ];
  const claimed = claims.map((claim) => CLAIMS[claim]).join(' ');
  if (appendix === undefined) facts.push([facts.pop(), claimed].filter(Boolean).join(' '));
  const end =
    appendix === undefined ? [] : ['', claimed, write(appendix)].filter((text, at) => at === 0 || text);
  const advice = renderAdvice(cures, notation, kind);
  return { summary: write(summary), detail: [...facts, advice].filter(Boolean).concat(end).join('\n') };
}

/** Returns the advice, one line for each step or alternative. Empty without advice. */
export function renderAdvice(cures: Message['cures'], notation: Notation = TERRAFORM, kind?: string): string {
  const lines = linesOf(cures).map((cure) => withStop(renderPhrase(cure, notation, kind)));
  return lines.length === 0 ? '' : `To do: ${lines.join('\n')}`;
}

/**
 * Returns a message as one text: its summary, and its details below. A text is returned as it is.
 */
export function renderText(message: Message | string): string {
  if (typeof message === 'string') return message;
  const { summary, detail } = render(message);
  return detail === '' ? summary : `${summary}\n${detail}`;
}

/** Returns a message as one line, for lists, exceptions and the command line. */
export function renderLine(
  { summary, details, received, allowed, claims = [], cures }: Message,
  notation: Notation = TERRAFORM,
  kind?: string,
): string {
  const write = (text: Phrase) => renderPhrase(text, notation, kind);
  return [
    write(summary),
    ...linesOf(details).map((text) => withoutStop(write(text))),
    ...(received === undefined ? [] : [`received ${write(received)}`]),
    ...(allowed === undefined ? [] : [`allowed: ${write(allowed)}`]),
    ...claims.map((claim) => withoutStop(CLAIMS[claim])),
    ...linesOf(cures).map(write),
  ].join('; ');
}

/** A message for machines: its texts, and their references and actions as data. */
interface MessageJson extends Rendered {
  readonly claims: readonly Claim[];
  readonly actions: readonly CureAction[];
  readonly references: readonly Reference[];
}

export function renderJson(message: Message, notation: Notation = TERRAFORM, kind?: string): MessageJson {
  const { summary, details, received = '', allowed = '', claims = [], cures, appendix = '' } = message;
  const parts = [summary, ...linesOf(details), received, allowed, ...linesOf(cures), appendix].flatMap(
    partsOf,
  );
  return {
    ...render(message, notation, kind),
    claims,
    actions: parts.filter(isAction),
    references: parts.filter((part) => part.kind !== 'or' && !isAction(part)),
  };
}

/**
 * Returns the alternatives in the advice of a message. Each is a list of actions in their order.
 */
export function waysIn({ cures }: Message): readonly (readonly CureAction[])[] {
  const ways: CureAction[][] = [[]];
  for (const part of linesOf(cures).flatMap(partsOf)) {
    if (part.kind === 'or') ways.push([]);
    else if (isAction(part)) ways.at(-1)!.push(part);
  }
  return ways.filter((way) => way.length > 0);
}

export function renderPhrase(text: Phrase, notation: Notation = TERRAFORM, kind?: string): string {
  const write = (part: Phrase) => renderPhrase(part, notation, kind);
  if (typeof text === 'string') return text;
  if ('words' in text && text.words !== undefined) return write(text.words);
  switch (text.kind) {
    case 'parts':
      return text.parts.map(write).join('');
    case 'field':
    case 'property': {
      const name = text.kind === 'field' ? notation.field(text.name, kind) : notation.property(text.name);
      return text.value === undefined ? name : notation.assignment(name, write(text.value));
    }
    case 'literal':
      return notation.literal(text.value);
    case 'code':
      return notation.code(text.source);
    case 'or':
      return text.words;
    case 'cluster':
      return JSON.stringify(text.name);
    case 'variable':
    case 'file':
    case 'command':
      return text.name;
    case 'set':
      return `set ${write(text.field)}${text.value === undefined ? '' : ` to ${write(text.value)}`}`;
    case 'remove':
      return `remove ${write(text.field)}`;
    case 'run': {
      const choice = text.which === undefined ? '' : `${text.which.replaceAll('-', ' ')} of `;
      return `run ${text.command} on ${choice}${text.clusters.map((name) => JSON.stringify(name)).join(' and ')}`;
    }
    case 'empty-storage':
      return `give ${JSON.stringify(text.cluster)} empty storage, initialize and unseal it`;
    case 'import':
      return 'import it';
    case 'plan':
    case 'apply':
      return `${text.kind} again`;
  }
}

type Part = Exclude<Phrase, string | { readonly kind: 'parts' }>;

const ACTIONS: readonly string[] = [
  'set',
  'remove',
  'run',
  'empty-storage',
  'plan',
  'apply',
  'import',
] satisfies readonly CureAction['kind'][];

function isAction(part: Part): part is CureAction {
  return ACTIONS.includes(part.kind);
}

/**
 * Returns the references and actions of a phrase. References within an action are part of the
 * action.
 */
function partsOf(text: Phrase): readonly Part[] {
  if (typeof text === 'string') return [];
  return text.kind === 'parts' ? text.parts.flatMap(partsOf) : [text];
}

function withStop(text: string): string {
  // Code ends without a full stop.
  return /[.:?}]$/.test(text) ? text : `${text}.`;
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
