export { startS3Server, type S3Object, type S3Server, type S3ServerOptions } from './s3-server';
export type { LoopbackServer } from './loopback';
export type { S3Credentials } from './signature-v4';
