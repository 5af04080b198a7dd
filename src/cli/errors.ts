/** An error that is reported without a stack trace: the command line or the settings are not valid. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
}

/** An answer could not be determined. It is reported without a stack trace. */
export class UndeterminedError extends Error {
  override readonly name = 'UndeterminedError';
}

interface Finding {
  readonly summary: string;
  readonly detail: string;
}

/** Settings of clusters are not valid. */
export class SettingsError extends UserError {
  override readonly name = 'SettingsError';

  constructor(readonly findings: readonly Finding[]) {
    super(findings.map(({ summary, detail }) => `${summary}\n${detail}`.trim()).join('\n'));
  }
}
