import { startS3Server } from '../../../../src/emulator';
import { startHttpStateBackend } from '../../../support/http-state-backend';

/** A place for the example's state, and what a pipeline has to set for it. */
export interface StateStore {
  /** Where it answers. */
  readonly address: string;
  /** For the synthesis, at an address that may be another way to the same store. */
  settings(address: string): Readonly<Record<string, string>>;
  /** For Terraform. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The stored state of the stack; undefined before the first apply. */
  state(): string | undefined;
  close(): Promise<void>;
}

export type StoreKind = 'http' | 's3';

const BUCKET = 'example-states';

/** @param secret that the store asks for. */
export function startStateStore(kind: StoreKind, secret: string): Promise<StateStore> {
  return kind === 'http' ? startHttpStore(secret) : startS3Store(secret);
}

async function startHttpStore(password: string): Promise<StateStore> {
  const server = await startHttpStateBackend({ username: 'pipeline', password });
  return {
    ...server,
    settings: (address) => ({ STATE_ADDRESS: `${address.replace(/\/$/, '')}/estate` }),
    credentials: { TF_HTTP_USERNAME: 'pipeline', TF_HTTP_PASSWORD: password },
  };
}

async function startS3Store(secretAccessKey: string): Promise<StateStore> {
  const accessKeyId = 'AKIAPIPELINE';
  const server = await startS3Server({ credentials: { accessKeyId, secretAccessKey }, buckets: [BUCKET] });
  return {
    ...server,
    settings: (address) => ({ STATE_ADDRESS: `s3://${BUCKET}/estate`, AWS_ENDPOINT_URL_S3: address }),
    credentials: { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
    state: () => server.buckets.get(BUCKET)?.get('estate/gitops.tfstate')?.content.toString(),
  };
}
