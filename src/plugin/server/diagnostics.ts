import { visibleLines, type Redactor } from '../../text';
import type { Diagnostic } from '../author/diagnostics';
import { Diagnostic_Severity, type Diagnostic as DiagnosticMessage } from '../wire/generated/tfplugin6';
import type { Content } from './content';
import { pathText, visiblePath } from './paths';

const NO_CONTENT: Content = { attributes: {}, blocks: {} };

/**
 * Returns diagnostics for Terraform, without secrets and without control characters for terminals.
 */
export function diagnosticMessages(
  diagnostics: readonly Diagnostic[],
  secrets: Redactor,
  content: Content = NO_CONTENT,
): DiagnosticMessage[] {
  const shown = (text: string) => visibleLines(secrets.hide(text));
  return diagnostics.map(({ severity, summary, detail, path }) => {
    const steps = visiblePath(content, path);
    // Terraform shows one line of the configuration; the text names a path that leads deeper.
    const where = steps.length < path.length ? `At ${pathText(path)}.` : '';
    return {
      severity: severity === 'error' ? Diagnostic_Severity.ERROR : Diagnostic_Severity.WARNING,
      summary: shown(summary),
      detail: shown([detail, where].filter(Boolean).join('\n\n')),
      ...(steps.length > 0 && { attribute: { steps } }),
    };
  });
}
