/** Imported first: the constructs are those of the flavour whose bindings know secrets that are not stored. */
jest.mock('../../../constructs/private/flavour', () =>
  jest.requireActual<object>('../../../constructs/private/flavour/cdktn'),
);
export {};
