import type { Message } from '../../../../../src/model/messages';
import { Diagnostics, type Resource } from '../../../../../src/plugin';
import { MessageError } from '../../../../../src/provider/messages';

/** The handlers of a resource that report errors. */
const REPORTING = ['modifyPlan', 'planDestroy', 'read', 'create', 'update', 'delete'];

type Handler = (...given: readonly unknown[]) => unknown;

/**
 * Returns a resource that also passes its errors on as messages.
 *
 * @param onError receives each message, and its text in the form of `Outcome.errors`
 */
export function reportingErrors(
  resource: Resource,
  onError: (text: string, message: Message) => void,
): Resource {
  const reporting = Object.entries(resource)
    .filter(([name]) => REPORTING.includes(name))
    .map(([name, handler]) => [name, reported(handler as Handler)]);
  return { ...resource, ...(Object.fromEntries(reporting) as object) };

  function reported(handler: Handler): Handler {
    return async function (this: unknown, ...given) {
      try {
        return await handler.apply(this, [...given]);
      } catch (error) {
        if (error instanceof MessageError) onError(`${error.summary}\n${error.detail}`, error.content);
        throw error;
      } finally {
        const { diagnostics } = given.at(-1) as { readonly diagnostics?: unknown };
        const all = diagnostics instanceof Diagnostics ? diagnostics.list : [];
        for (const { severity, summary, detail, data } of all)
          if (severity === 'error' && data !== undefined) onError(`${summary}\n${detail}`, data as Message);
      }
    };
  }
}
