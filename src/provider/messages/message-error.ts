import { render, type Message } from '../../model/messages';
import { DiagnosticError, type Path } from '../../plugin';

/** A message for users of Terraform. */
export interface LocatedMessage extends Message {
  /** The place in the configuration that Terraform shows with it. Default: the whole object. */
  readonly path?: Path;
}

/**
 * An error for users of Terraform that carries its message as data, so that a caller can add to it.
 */
export class MessageError extends DiagnosticError {
  constructor(
    readonly content: LocatedMessage,
    options?: { readonly cause?: unknown },
  ) {
    const { summary, detail } = render(content);
    super(summary, detail, content.path, options);
  }
}

/** Returns the message of an error, without advice if the error does not carry it as data. */
export function contentOf(error: DiagnosticError): LocatedMessage {
  if (error instanceof MessageError) return error.content;
  const { summary, detail, path } = error;
  return { path, summary, ...(detail !== '' && { details: detail }) };
}

/** Returns the text of an error without its advice. */
export function withoutAdvice(error: DiagnosticError): string {
  const { summary, detail } = render({ ...contentOf(error), cures: [] });
  return detail === '' ? summary : `${summary}: ${detail}`;
}
