/** Imported first: a digest would take a second of a processor in each run of Terraform. What it costs is tried by itself. */
jest.mock('../../../src/provider/auto-snapshots/digest-cost', () => ({ COST: { N: 16, r: 8, p: 1 } }));
export {};
