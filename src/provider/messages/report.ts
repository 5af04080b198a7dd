import { describeFinding, type Finding } from '../../model';
import { render } from '../../model/messages';
import type { Diagnostics, Path } from '../../plugin';
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

/**
 * Shows a finding of the model to users of Terraform.
 *
 * @param name the name of the object with the finding; `undefined` if it is not known yet
 */
export function reportFinding(
  diagnostics: Diagnostics,
  definition: Parameters<typeof describeFinding>[0],
  name: string | undefined,
  finding: Finding,
  path: Path,
): void {
  const { summary, detail } = describeFinding(definition, name, finding);
  diagnostics[finding.severity](summary, detail, path);
}
