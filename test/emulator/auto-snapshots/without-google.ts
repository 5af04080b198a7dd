/** Simulates that Google's package is not installed. Tests import this file first. */
jest.mock('@google-cloud/storage', () => {
  throw Object.assign(new Error("Cannot find module '@google-cloud/storage'"), { code: 'MODULE_NOT_FOUND' });
});
export {};
