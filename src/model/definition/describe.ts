import { field, phrase, render, renderLine, type Message, type Notation, type Rendered } from '../messages';
import type { Finding, ObjectDefinition } from './field';

/** A finding in words, for people. */
export interface FindingText extends Rendered {
  /** Everything in one line, for lists and exceptions. */
  readonly line: string;
}

type Kind = Pick<ObjectDefinition, 'title'> & Partial<Pick<ObjectDefinition, 'name'>>;

/**
 * Words a finding. Every part that shows findings to people shows this text.
 *
 * @param objectName the name of the object at fault. Left out when it is not known yet.
 * @param notation how the reader writes the names of fields. Default: as Terraform does.
 */
export function describeFinding(
  definition: Kind,
  objectName: string | undefined,
  finding: Finding,
  notation?: Notation,
): FindingText {
  const message = messageOf(objectTitle(definition, objectName), finding);
  return {
    ...render(message, notation, definition.name),
    line: renderLine(message, notation, definition.name),
  };
}

function messageOf(
  object: string,
  { field: name, position, problem, received, allowed, cure }: Finding,
): Message {
  const place = position ? ` (line ${position.line}, column ${position.column})` : '';
  return {
    summary: phrase`${object}: ${field(name)} ${problem}${place}`,
    ...(received !== undefined && { received }),
    ...(allowed !== undefined && { allowed }),
    cures: cure,
  };
}

/** How messages call an object: `ACL policy "ops"`, or `ACL policy` where its name is not known yet. */
export function objectTitle(
  definition: Pick<ObjectDefinition, 'title'>,
  objectName: string | undefined,
): string {
  return objectName ? `${definition.title} ${JSON.stringify(objectName)}` : definition.title;
}
