import { contentOf } from '../../../src/plugin/server/content';
import { readForm } from '../../../src/plugin/server/same-meaning';
import { MANAGED_KEY_RESOURCE } from '../../../src/provider/managed-keys/managed-key-resource';
import { isAnother, keyState } from '../../../src/provider/managed-keys/stored-key';
import { fieldsToWrite } from '../../../src/provider/managed-keys/write';

const AWS = { kms_key: 'alias/a', key_type: 'ECDSA', curve: 'P256' };
const LEFT_OUT = {
  name: 'signing',
  any_mount: null,
  usages: null,
  pkcs11: null,
  azurekeyvault: null,
  gcpckms: null,
};
const config = (awskms: object) => ({ ...LEFT_OUT, awskms: { region: null, endpoint: null, ...awskms } });

/** The planned values for a configuration: with defaults, and without write-only values. */
function planOf({ awskms, ...common }: ReturnType<typeof config>) {
  const defaults = { any_mount: false, usages: ['sign', 'verify'] };
  return { ...common, ...defaults, awskms: { ...awskms, region: 'us-east-1', secret_key_wo: null } };
}

describe('the values of a write', () => {
  test('the configured fields are written without defaults, which are the server’s', () => {
    expect(fieldsToWrite(planOf(config(AWS)), config(AWS))).toEqual(AWS);
  });

  test('a secret is written from the plain or the write-only argument', () => {
    const secrets = {
      access_key: 'plain',
      secret_key: null,
      secret_key_wo: 'hidden',
      secret_key_wo_version: 1,
    };
    const given = config({ ...AWS, ...secrets });
    expect(fieldsToWrite(planOf(given), given)).toEqual({
      ...AWS,
      access_key: 'plain',
      secret_key: 'hidden',
    });
  });

  test('ignored fields are written with their planned values', () => {
    const given = { ...config({ ...AWS, curve: 'P521' }), any_mount: true };
    const planned = { ...planOf(config(AWS)), usages: ['encrypt'] };
    expect(fieldsToWrite(planned, given)).toEqual({ ...AWS, any_mount: false, usages: ['encrypt'] });
  });

  test('fields that the server has to clear are written as empty values', () => {
    const stored = {
      any_mount: true,
      usages: ['encrypt'],
      region: 'eu-west-1',
      endpoint: 'https://kms',
      access_key: 'plain',
      secret_key_wo_version: 1,
    };
    expect(fieldsToWrite(planOf(config(AWS)), config(AWS), stored)).toEqual({
      ...AWS,
      any_mount: false,
      usages: ['sign', 'verify'],
      region: 'us-east-1',
      endpoint: '',
      access_key: '',
      secret_key: '',
    });
  });
});

describe('the values of a state', () => {
  const key = {
    name: 'signing',
    type: 'awskms',
    uuid: '1',
    fields: { ...AWS, region: 'us-east-1', usages: ['sign', 'verify'], any_mount: false },
    hidden: ['access_key', 'secret_key'],
    heldSecrets: ['access_key', 'secret_key'],
  } as const;
  const prior = {
    name: 'signing',
    uuid: '1',
    usages: ['verify', 'sign'],
    awskms: { ...AWS, key_type: 'ecdsa', endpoint: '', secret_key_wo_version: 2 },
  };

  test('a value that the server spells in another way keeps the spelling of the state', () => {
    expect(readForm(contentOf(MANAGED_KEY_RESOURCE.schema), keyState(key, prior), prior)).toMatchObject({
      uuid: '1',
      usages: ['verify', 'sign'],
      awskms: { key_type: 'ecdsa', region: 'us-east-1', endpoint: '', secret_key_wo_version: 2 },
    });
  });

  test('a value that the server does not return is kept', () => {
    const silent = { ...key, hidden: [...key.hidden, 'usages', 'key_type'] };
    expect(keyState(silent, { ...prior, usages: ['encrypt'] })).toMatchObject({
      usages: ['encrypt'],
      awskms: { key_type: 'ecdsa' },
    });
  });

  test(`a value that differs on the server is replaced by the server's`, () => {
    expect(keyState({ ...key, fields: { ...key.fields, kms_key: 'alias/b' } }, prior)).toMatchObject({
      awskms: { kms_key: 'alias/b' },
    });
  });

  test('the secrets of a key that was created again are forgotten', () => {
    const again = { ...key, uuid: '2' };
    expect(isAnother(again, prior)).toBe(true);
    expect(keyState(again, prior)).toMatchObject({ uuid: '2', awskms: { secret_key_wo_version: null } });
  });

  test('an unknown UUID does not count as different', () => {
    expect(isAnother(key, { ...prior, uuid: null })).toBe(false);
    expect(keyState(key, { ...prior, uuid: null })).toMatchObject({
      uuid: '1',
      awskms: { secret_key_wo_version: 2 },
    });
  });
});
