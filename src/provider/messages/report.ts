import { render } from '../../model/messages';
import type { Diagnostics } from '../../plugin';
import type { LocatedMessage } from './message-error';

/** Shows a message to users of Terraform. */
export function report(
  diagnostics: Diagnostics,
  severity: 'error' | 'warning',
  message: LocatedMessage,
): void {
  const { summary, detail } = render(message);
  diagnostics[severity](summary, detail, message.path, message);
}
