import { renderText, type Message } from '../model/messages';
/**
 * An error that is reported without a stack trace: the command line or the settings are not valid.
 */
export class UserError extends Error {
  override readonly name: string = 'UserError';

  constructor(message: Message | string, options?: ErrorOptions) {
    super(renderText(message), options);
  }
}

/** The error for settings of clusters that are not valid. */
export class SettingsError extends UserError {
  override readonly name = 'SettingsError';

  constructor(readonly findings: readonly Message[]) {
    super(findings.map(renderText).join('\n'));
  }
}
