export { startS3Server, type S3Object, type S3Server, type S3ServerOptions } from './s3-server';
export type { S3Credentials } from './signature-v4';
