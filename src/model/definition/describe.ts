import type { Finding, ObjectDefinition } from './field';

/** A finding in words, for people. */
export interface FindingText {
  /** One short sentence: the object, the field, what is wrong. */
  readonly summary: string;
  /** What was received, what is allowed and what to do, one a line. */
  readonly detail: string;
  /** Everything in one line, for lists and exceptions. */
  readonly line: string;
}

/**
 * Words a finding. Every part that shows findings to people shows this text.
 *
 * @param objectName the name of the object at fault. Left out when it is not known yet.
 */
export function describeFinding(
  definition: Pick<ObjectDefinition, 'title'>,
  objectName: string | undefined,
  finding: Finding,
): FindingText {
  const object = objectTitle(definition, objectName);
  const place = finding.position ? ` (line ${finding.position.line}, column ${finding.position.column})` : '';
  const summary = `${object}: ${finding.field} ${finding.problem}${place}`;
  const received = finding.received === undefined ? undefined : `received ${finding.received}`;
  const allowed = finding.allowed === undefined ? undefined : `allowed: ${finding.allowed}`;
  const facts = [received, allowed].filter((fact) => fact !== undefined);

  return {
    summary,
    detail: [...facts, `to do: ${finding.cure}`].map(asSentence).join('\n'),
    line: `${summary}${facts.length > 0 ? `; ${facts.join('; ')}` : ''}; ${finding.cure}`,
  };
}

/** How messages call an object: `ACL policy "ops"`, or `ACL policy` where its name is not known yet. */
export function objectTitle(
  definition: Pick<ObjectDefinition, 'title'>,
  objectName: string | undefined,
): string {
  return objectName ? `${definition.title} ${JSON.stringify(objectName)}` : definition.title;
}

function asSentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return start.endsWith('.') ? start : `${start}.`;
}
