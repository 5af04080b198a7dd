import { MessageError, type LocatedMessage } from '../../../messages';
import { inWords, type Step } from '../planner';
import type { ApplyMemory, ReportEntry } from './memory';
import { all, ask, type Procedure } from './requests';

/** Adds a completed step to the report of an apply. */
export function reportDone(memory: ApplyMemory, step: Step): void {
  put(memory, { words: inWords(step) });
}

/** Adds a failed step to the report of an apply that continues with other steps. */
export function reportFailure(memory: ApplyMemory, step: Step, reason: string): void {
  const words = inWords(step);
  put(memory, { words, text: `NOT POSSIBLE: ${words}. Reason: ${reason.replaceAll('\n', '\n    ')}` });
}

/**
 * Adds a step to the report that failed after it had changed something.
 *
 * @param reached the progress of the step: `eu is unchanged`.
 */
export function reportPart(memory: ApplyMemory, step: Step, reached: string): void {
  const words = inWords(step);
  put(memory, { words, text: begun(words, reached) });
}

function begun(words: string, reached: string): string {
  return `BEGUN, not completed: ${words}. So far: ${reached}`;
}

/** Returns the texts of the completed steps and of the incomplete ones. */
export function reportedSteps({ report, unclear, sent }: ApplyMemory): string[] {
  const texts = report.map(({ words, text = words }) => text);
  if (unclear)
    return [...texts, begun(inWords(unclear), 'unknown, because the clusters could not be read since')];
  const words = sent && inWords(sent);
  if (words === undefined || report.some((entry) => entry.words === words)) return texts;
  return [...texts, begun(words, 'no effect was seen, but a request that was sent may still take effect')];
}

/**
 * Returns the error that ends an apply, with a report of the steps that were completed before it.
 */
export function* endingError(
  memory: ApplyMemory,
  members: readonly string[],
  message: LocatedMessage,
  options?: { readonly cause?: unknown },
): Procedure<MessageError> {
  const done = reportedSteps(memory);
  const changed = done.length === 0 ? '' : `Changed so far:\n${bullets(done)}\n`;
  const states = yield* all(members.map((cluster) => ask({ kind: 'describe', cluster })));
  const now = members.map((name, at) => `${name}: ${states[at]}`);
  return new MessageError(
    {
      ...message,
      claims: done.length === 0 ? ['nothing-changed'] : [],
      appendix: `${changed}Clusters now:\n${bullets(now)}`,
    },
    options,
  );
}

/**
 * Adds an entry to the report. It replaces an earlier entry for the same step if the step was not
 * completed then.
 */
function put({ report }: ApplyMemory, entry: ReportEntry): void {
  const before = report.findIndex(({ words, text }) => words === entry.words && text !== undefined);
  if (before >= 0) report.splice(before, 1);
  report.push(entry);
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `  - ${line}`).join('\n');
}
