import type { ObjectDefinition } from '../../../src/model';
import { Diagnostics, UNKNOWN, type Diagnostic, type Path } from '../../../src/plugin';
import {
  dataSourceFields,
  reportFindings,
  reportSecrets,
  reportVersions,
  resourceFields,
  secretsForState,
  withSecrets,
} from '../../../src/provider/objects';

/** A kind of object with one required secret. */
const definition: ObjectDefinition = {
  name: 'door',
  title: 'door',
  path: 'sys/doors',
  edition: 'community',
  restricted: false,
  doc: 'A door.',
  fields: {
    name: { type: 'string', required: true, identity: true, doc: 'Its name.' },
    pin: { type: 'string', required: true, sensitive: true, doc: 'What opens it.' },
    width: { type: 'integer', default: 90, doc: 'In centimetres.' },
  },
  rules: [
    {
      id: 'pin-is-long',
      reads: ['pin'],
      check: ({ pin }) =>
        String(pin).length < 4
          ? [
              {
                severity: 'error',
                rule: 'pin-is-long',
                field: 'pin',
                problem: 'is too short',
                cure: 'take four digits',
              },
            ]
          : [],
    },
  ],
};

const NONE = { pin: null, pin_wo: null, pin_wo_version: null };

describe('the attributes of a secret', () => {
  const attributes = resourceFields(definition);

  test('a secret has three attributes, other fields have one', () => {
    expect(Object.keys(attributes)).toEqual(['name', 'pin', 'pin_wo', 'pin_wo_version', 'width']);
    expect(attributes.pin?.options).toMatchObject({ optional: true, sensitive: true });
    expect(attributes.pin_wo?.options).toMatchObject({ optional: true, sensitive: true, writeOnly: true });
    expect(attributes.pin_wo_version?.options).toMatchObject({ optional: true });
    expect(attributes.pin_wo_version?.options.sensitive).toBeUndefined();
  });

  test('the defaults of attributes are those of the model', () => {
    expect(attributes.width?.options).toMatchObject({ optional: true, default: 90 });
    expect(attributes.width?.options.description).toBe('In centimetres. Default: `90`.');
  });

  test('attributes of data sources contain no secret', () => {
    expect(Object.keys(dataSourceFields(definition))).toEqual(['name', 'width']);
  });
});

describe('checks of the configuration of a secret', () => {
  function reported(values: object, { writeOnlyAttributesAllowed = true, within = [] as Path } = {}) {
    const diagnostics = new Diagnostics();
    const client = { deferralAllowed: false, writeOnlyAttributesAllowed };
    reportSecrets(
      definition,
      { ...NONE, ...values },
      { clientCapabilities: client, diagnostics },
      { name: 'front', within },
    );
    return diagnostics.list;
  }

  test('a write-only secret with its version is accepted', () => {
    expect(reported({ pin_wo: '1234', pin_wo_version: 1 })).toEqual([]);
    expect(reported({ pin_wo: '1234', pin_wo_version: UNKNOWN })).toEqual([]);
    expect(reported({})).toEqual([]);
  });

  test('the plain secret is reported as a warning if Terraform supports write-only arguments', () => {
    expect(reported({ pin: '1234' })).toMatchObject<Partial<Diagnostic>[]>([
      {
        severity: 'warning',
        summary: 'door "front": pin is stored in the state',
        detail: 'To do: use pin_wo instead, with pin_wo_version = 1.',
        path: ['pin'],
      },
    ]);
    expect(reported({ pin: '1234' }, { writeOnlyAttributesAllowed: false })).toEqual([]);
  });

  test('the plain and the write-only secret together are refused', () => {
    expect(reported({ pin: '1', pin_wo: '2', pin_wo_version: 1 }, { within: ['lock'] })).toMatchObject([
      {
        severity: 'error',
        summary: 'door "front": pin and pin_wo cannot be used together',
        path: ['lock', 'pin'],
      },
    ]);
  });

  test('a write-only secret without its version is refused', () => {
    expect(reported({ pin_wo: '1234' })).toMatchObject([
      { severity: 'error', summary: 'door "front": pin_wo requires pin_wo_version', path: ['pin_wo'] },
    ]);
  });

  test('unknown values are accepted', () => {
    expect(reported({ pin: UNKNOWN, pin_wo: '1', pin_wo_version: 1 })).toEqual([]);
    expect(reported({ pin_wo: UNKNOWN })).toEqual([]);
  });
});

describe('rules of the model about a secret', () => {
  function found(values: object): readonly Diagnostic[] {
    const diagnostics = new Diagnostics();
    const config = { name: 'front', width: null, ...NONE, ...values };
    reportFindings(definition, config, diagnostics, (field) => (field === 'pin' ? ['lock'] : []));
    return diagnostics.list;
  }

  test('a rule about a secret checks the attribute that is set, plain or write-only, and its error names that attribute', () => {
    expect(found({ pin: '123' })).toMatchObject([
      { summary: 'door "front": pin is too short', path: ['lock', 'pin'] },
    ]);
    expect(found({ pin_wo: '123' })).toMatchObject([
      { summary: 'door "front": pin is too short', path: ['lock', 'pin_wo'] },
    ]);
    expect(found({ pin_wo: '1234' })).toEqual([]);
  });

  test('rules are not checked while values are unknown', () => {
    expect(found({ pin_wo: UNKNOWN })).toEqual([]);
    expect(found({ pin: UNKNOWN })).toEqual([]);
  });

  test('rules accept a version without its secret, which the server may have', () => {
    expect(found({ pin_wo_version: 1 })).toEqual([]);
    expect(found({ pin_wo: '123', pin_wo_version: 1 })).toMatchObject([
      { summary: 'door "front": pin is too short' },
    ]);
  });

  test('a required secret that is missing is reported with a reminder that it need not be stored', () => {
    expect(found({})).toMatchObject<Partial<Diagnostic>[]>([
      {
        severity: 'error',
        summary: 'door "front": pin is required',
        detail: 'To do: set pin.\npin is stored in the state; pin_wo, with pin_wo_version, is not.',
        path: ['lock', 'pin'],
      },
    ]);
  });
});

test('the values for the server contain the secret from either attribute', () => {
  expect(withSecrets(definition, { ...NONE, pin: '1', width: 80 })).toMatchObject({ pin: '1', width: 80 });
  expect(withSecrets(definition, { ...NONE, pin_wo: '2' })).toMatchObject({ pin: '2' });
  expect(withSecrets(definition, { ...NONE })).toMatchObject({ pin: null });
});

test('a state keeps the attributes of secrets, or has null for them', () => {
  const prior = { pin: '1', pin_wo: null, pin_wo_version: 3 };
  expect(secretsForState(definition, prior)).toEqual(prior);
  expect(secretsForState(definition)).toEqual(NONE);
});

describe('a changed version of a secret', () => {
  const versions = (config: object, state?: object): readonly Diagnostic[] => {
    const diagnostics = new Diagnostics();
    reportVersions(
      definition,
      { config: { ...NONE, ...config }, state: state && { ...NONE, ...state } },
      { diagnostics },
      { name: 'front', within: ['lock'] },
    );
    return diagnostics.list;
  };

  test('a changed version without a secret is refused', () => {
    expect(versions({ pin_wo_version: 2 }, { pin_wo_version: 1 })).toMatchObject([
      {
        severity: 'error',
        summary: 'door "front": pin_wo_version has changed, but pin_wo is not set',
        detail:
          'Received: pin_wo_version = 2 (previously 1), pin_wo = null.\n' +
          'To do: set pin_wo for both the plan and the apply, or leave pin_wo_version unchanged.',
        path: ['lock', 'pin_wo_version'],
      },
    ]);
    expect(versions({ pin_wo_version: 1 })).toHaveLength(1);
  });

  test('a changed version is accepted with a known or unknown secret, and an unchanged version without a secret', () => {
    expect(versions({ pin_wo: '1234', pin_wo_version: 2 }, { pin_wo_version: 1 })).toEqual([]);
    expect(versions({ pin_wo: UNKNOWN, pin_wo_version: 2 }, { pin_wo_version: 1 })).toEqual([]);
    expect(versions({ pin_wo_version: 1 }, { pin_wo_version: 1 })).toEqual([]);
    expect(versions({ pin_wo_version: UNKNOWN }, { pin_wo_version: 1 })).toEqual([]);
  });
});
