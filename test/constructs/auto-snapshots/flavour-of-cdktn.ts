/**
 * Replaces the flavour by one whose bindings have write-only secrets. It has to be imported first.
 */
jest.mock('../../../constructs/private/flavour', () =>
  jest.requireActual<object>('../../../constructs/private/flavour/cdktn'),
);
export {};
