import { field, phrase, render, renderLine, type Message, type Notation, type Rendered } from '../messages';
import type { Finding, ObjectDefinition } from './field';

/** The texts of a finding, for people. */
export interface FindingText extends Rendered {
  /** The whole text in one line, for lists and exceptions. */
  readonly line: string;
}

type Kind = Pick<ObjectDefinition, 'title'> & Partial<Pick<ObjectDefinition, 'name'>>;

/**
 * Returns the text of a finding, which is the same wherever people see it.
 *
 * @param objectName the name of the object with the finding. Absent if it is not known yet.
 * @param notation the notation for the names of fields. Default: that of Terraform.
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
  { field: name, file, position, problem, received, allowed, cure }: Finding,
): Message {
  const parts = [file, position && `line ${position.line}, column ${position.column}`];
  const known = parts.filter((part) => part !== undefined);
  const place = known.length > 0 ? ` (${known.join(', ')})` : '';
  return {
    summary: phrase`${object}: ${field(name)} ${problem}${place}`,
    ...(received !== undefined && { received }),
    ...(allowed !== undefined && { allowed }),
    cures: cure,
  };
}

/**
 * Returns the name of an object in messages: `ACL policy "ops"`, or `ACL policy` if its name is not
 * known yet.
 */
export function objectTitle(
  definition: Pick<ObjectDefinition, 'title'>,
  objectName: string | undefined,
): string {
  return objectName ? `${definition.title} ${JSON.stringify(objectName)}` : definition.title;
}
