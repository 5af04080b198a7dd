import { startS3Server } from '../../../../src/emulator';
import { startHttpStateBackend } from '../../../support/http-state-backend';

/** A server for the states of the example, and the settings that a pipeline needs for it. */
export interface StateStore {
  /** The address of the server. */
  readonly address: string;
  /**
   * Returns the value for `state` in estate.json. The address may be that of a proxy in front of
   * the server.
   */
  place(address: string): string;
  /** Returns the environment variables for the synthesis. */
  env(address: string): Readonly<Record<string, string>>;
  /** The environment variables with which Terraform authenticates to the server. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The stored state of a stack, such as "dev/policies"; undefined before the first apply. */
  state(stack: string): string | undefined;
  close(): Promise<void>;
}

export type StoreKind = 'http' | 's3';

const BUCKET = 'example-states';

/** @param secret the password or secret key that the server requires */
export function startStateStore(kind: StoreKind, secret: string): Promise<StateStore> {
  return kind === 'http' ? startHttpStore(secret) : startS3Store(secret);
}

async function startHttpStore(password: string): Promise<StateStore> {
  const server = await startHttpStateBackend({ username: 'pipeline', password });
  return {
    ...server,
    place: (address) => `${address.replace(/\/$/, '')}/estate`,
    env: () => ({}),
    state: (stack) => server.state(`/estate/${stack}`),
    credentials: { TF_HTTP_USERNAME: 'pipeline', TF_HTTP_PASSWORD: password },
  };
}

async function startS3Store(secretAccessKey: string): Promise<StateStore> {
  const accessKeyId = 'AKIAPIPELINE';
  const server = await startS3Server({ credentials: { accessKeyId, secretAccessKey }, buckets: [BUCKET] });
  return {
    ...server,
    place: () => `s3://${BUCKET}/estate`,
    env: (address) => ({ AWS_ENDPOINT_URL_S3: address }),
    credentials: { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
    state: (stack) => server.buckets.get(BUCKET)?.get(`estate/${stack}.tfstate`)?.content.toString(),
  };
}
