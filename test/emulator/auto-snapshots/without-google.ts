/** Imported first: the package of Google is not installed. */
jest.mock('@google-cloud/storage', () => {
  throw Object.assign(new Error("Cannot find module '@google-cloud/storage'"), { code: 'MODULE_NOT_FOUND' });
});
export {};
