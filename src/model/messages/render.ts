import { CLAIMS, type Claim, type Message } from './message';
import { TERRAFORM, type Notation } from './notation';
import type { Action, Phrase, Reference } from './phrase';

/** The texts of a message. */
export interface Rendered {
  /** One short sentence: the object, and what happened. */
  readonly summary: string;
  /** The rest, one fact a line. The advice comes last. */
  readonly detail: string;
}

/** @param kind the kind of object whose fields the message refers to. */
export function render(
  { summary, details = [], received, allowed, claims = [], cures = [] }: Message,
  notation: Notation = TERRAFORM,
  kind?: string,
): Rendered {
  const say = (text: Phrase) => asSentence(renderPhrase(text, notation, kind));
  const lines = [
    ...details.map(say),
    ...(received === undefined ? [] : [`Received: ${withStop(renderPhrase(received, notation, kind))}`]),
    ...(allowed === undefined ? [] : [`Allowed: ${withStop(renderPhrase(allowed, notation, kind))}`]),
  ];
  const claimed = claims.map((claim) => CLAIMS[claim]);
  const facts = [...lines.slice(0, -1), [...lines.slice(-1), ...claimed].join(' ')].filter(Boolean);
  const toDo = cures.map((cure, index) => {
    const text = renderPhrase(cure, notation, kind);
    return index === 0 ? withStop(text) : asSentence(text);
  });
  return {
    summary: renderPhrase(summary, notation, kind),
    detail: [...facts, ...(toDo.length === 0 ? [] : [`To do: ${toDo.join(' ')}`])].join('\n'),
  };
}

/** A message in one line, for lists, exceptions and the command line. */
export function renderLine(
  { summary, details = [], received, allowed, claims = [], cures = [] }: Message,
  notation: Notation = TERRAFORM,
  kind?: string,
): string {
  const say = (text: Phrase) => renderPhrase(text, notation, kind);
  return [
    say(summary),
    ...details.map((text) => withoutStop(say(text))),
    ...(received === undefined ? [] : [`received ${say(received)}`]),
    ...(allowed === undefined ? [] : [`allowed: ${say(allowed)}`]),
    ...claims.map((claim) => withoutStop(CLAIMS[claim])),
    ...cures.map(say),
  ].join('; ');
}

/** A message for machines: its texts, and their references and actions as data. */
interface MessageJson extends Rendered {
  readonly claims: readonly Claim[];
  readonly actions: readonly Action[];
  readonly references: readonly Reference[];
}

export function renderJson(message: Message, notation: Notation = TERRAFORM, kind?: string): MessageJson {
  const { summary, details = [], received = '', allowed = '', claims = [], cures = [] } = message;
  const parts = [summary, ...details, received, allowed, ...cures].flatMap(partsOf);
  return {
    ...render(message, notation, kind),
    claims,
    actions: parts.filter(isAction),
    references: parts.filter((part) => !isAction(part)),
  };
}

/** The actions that a message advises, in their order. */
export function actionsIn({ cures = [] }: Message): readonly Action[] {
  return cures.flatMap(partsOf).filter(isAction);
}

export function renderPhrase(text: Phrase, notation: Notation = TERRAFORM, kind?: string): string {
  const say = (part: Phrase) => renderPhrase(part, notation, kind);
  if (typeof text === 'string') return text;
  switch (text.kind) {
    case 'parts':
      return text.parts.map(say).join('');
    case 'field':
    case 'property': {
      const name = text.kind === 'field' ? notation.field(text.name, kind) : notation.property(text.name);
      return text.value === undefined ? name : notation.assignment(name, say(text.value));
    }
    case 'literal':
      return notation.literal(text.value);
    case 'code':
      return notation.code(text.source);
    case 'cluster':
      return JSON.stringify(text.name);
    case 'variable':
    case 'file':
    case 'command':
      return text.name;
    case 'set':
      return `set ${say(text.field)}${text.value === undefined ? '' : ` to ${say(text.value)}`}`;
    case 'remove':
      return `remove ${say(text.field)}`;
  }
}

const ACTIONS: readonly string[] = ['set', 'remove'] satisfies readonly Action['kind'][];

function isAction(part: Reference | Action): part is Action {
  return ACTIONS.includes(part.kind);
}

/** The references and actions of a phrase. References within an action are part of the action. */
function partsOf(text: Phrase): readonly (Reference | Action)[] {
  if (typeof text === 'string') return [];
  return text.kind === 'parts' ? text.parts.flatMap(partsOf) : [text];
}

function asSentence(text: string): string {
  return withStop(text.charAt(0).toUpperCase() + text.slice(1));
}

function withStop(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
