import type * as OpenPgp from 'openpgp' with { 'resolution-mode': 'import' };
import { loadLibrary } from '../../src/emulator/core/load-library';

const { decrypt, generateKey, readMessage } = loadLibrary('openpgp') as typeof OpenPgp;

/** A new pair of PGP keys. */
export interface PgpPair {
  /** The public key in the form that the server expects: binary, in base64. */
  readonly publicKey: string;
  readonly armored: string;
  /** Decrypts a message that was encrypted for the key. */
  open(encrypted: Buffer): Promise<string>;
}

export async function newPgpPair(name: string): Promise<PgpPair> {
  const { publicKey, privateKey } = await generateKey({ userIDs: [{ name }], format: 'object' });
  return {
    publicKey: Buffer.from(publicKey.write()).toString('base64'),
    armored: publicKey.armor(),
    async open(encrypted) {
      const message = await readMessage({ binaryMessage: encrypted });
      const { data } = await decrypt({ message, decryptionKeys: privateKey });
      return data as string;
    },
  };
}
