/** The endpoints that need no token, so that no policy is evaluated. */
export const OPEN_PATHS: readonly string[] = [
  'sys/health',
  'sys/init',
  'sys/leader',
  'sys/seal-status',
  'sys/unseal',
  'auth/+/login',
  'auth/+/login/*',
];
