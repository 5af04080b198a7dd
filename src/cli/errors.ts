/** An error that is reported without a stack trace: the command line or the settings are not valid. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
