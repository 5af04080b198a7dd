import { KeyCurve, KeySpec, ManagedKeyBackend, Pkcs11Mechanism, VaultSecret } from '../../../constructs';

test.each([
  [
    'a size that no RSA key has',
    () => KeySpec.rsa(1024),
    'KeySpec.rsa received 1024; allowed: 2048, 3072, 4096; write for example KeySpec.rsa(3072)',
  ],
  [
    'a size as text',
    () => KeySpec.rsa('2048' as unknown as number),
    'KeySpec.rsa received "2048"; allowed: 2048, 3072, 4096; write for example KeySpec.rsa(3072)',
  ],
  [
    'an unknown curve',
    () => KeySpec.ecc('P192' as KeyCurve),
    'KeySpec.ecc received "P192"; allowed: KeyCurve.P256, KeyCurve.P384, KeyCurve.P521; ' +
      'write for example KeySpec.ecc(KeyCurve.P256)',
  ],
  [
    'the name of an unknown mechanism',
    () => Pkcs11Mechanism.of('CKM_AES_GCM'),
    'Pkcs11Mechanism.of received "CKM_AES_GCM"; allowed: CKM_RSA_PKCS, CKM_RSA_PKCS_OAEP, CKM_RSA_PKCS_PSS, ' +
      'CKM_ECDSA, or a hexadecimal number; write for example Pkcs11Mechanism.of("0x1085")',
  ],
  [
    'an elliptic curve key in Azure',
    () =>
      ManagedKeyBackend.azureKeyVault({
        tenantId: 't',
        vaultName: 'v',
        keyName: 'n',
        keySpec: KeySpec.ecc(KeyCurve.P256),
      }),
    'ManagedKeyBackend.azureKeyVault: keySpec is KeySpec.ecc; allowed: KeySpec.rsa, since keys in Azure Key Vault ' +
      'are of the type RSA-HSM; write for example KeySpec.rsa(2048)',
  ],
  [
    'an RSA key with a mechanism for elliptic curves',
    () =>
      ManagedKeyBackend.pkcs11({
        library: 'hsm',
        keyLabel: 'k',
        pin: VaultSecret.fromVariable('pin'),
        mechanism: Pkcs11Mechanism.of('0x1041'),
        keySpec: KeySpec.rsa(3072),
      }),
    'ManagedKeyBackend.pkcs11: keySpec is an RSA key, and the mechanism CKM_ECDSA needs an ECDSA key; ' +
      'write for example KeySpec.ecc(KeyCurve.P256), or choose another mechanism',
  ],
  [
    'an elliptic curve key with a mechanism for RSA',
    () =>
      ManagedKeyBackend.pkcs11({
        library: 'hsm',
        keyLabel: 'k',
        pin: VaultSecret.fromVariable('pin'),
        mechanism: Pkcs11Mechanism.RSA_PKCS_PSS,
        keySpec: KeySpec.ecc(KeyCurve.P256),
      }),
    'ManagedKeyBackend.pkcs11: keySpec is an ECDSA key, and the mechanism CKM_RSA_PKCS_PSS needs an RSA key; ' +
      'write for example KeySpec.rsa(3072), or choose another mechanism',
  ],
])('a key specification with %s is an error', (_what, make, message) => {
  expect(make).toThrow(new Error(message));
});

test.each([2048, 3072, 4096])('KeySpec.rsa accepts %i bits', (bits) => {
  expect(() => KeySpec.rsa(bits)).not.toThrow();
});

test('Pkcs11Mechanism.of accepts numbers in either case', () => {
  expect(() =>
    ['0x1085', '0X000d', '0xABCDEF0123456789'].map((text) => Pkcs11Mechanism.of(text)),
  ).not.toThrow();
});
