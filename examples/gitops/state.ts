import { HttpBackend, S3Backend, type TerraformStack } from 'cdktf';

/**
 * Says where a stack's state is kept, for all stacks in this one place: `s3://bucket/folder`, or
 * the URL of a server that Terraform's `http` backend can talk to. Both lock the state while a run
 * may change it.
 *
 * Credentials are no part of the app: the backends take them from the environment.
 */
export function keepState(stack: TerraformStack, place: string): void {
  const name = stack.node.id;
  const url = new URL(`${place}/${name}`);
  if (url.protocol !== 's3:') {
    new HttpBackend(stack, { address: url.href, lockAddress: url.href, unlockAddress: url.href });
    return;
  }
  const backend = new S3Backend(stack, {
    bucket: url.hostname,
    key: `${url.pathname.slice(1)}.tfstate`,
    encrypt: true,
    ...ownStore(process.env.AWS_ENDPOINT_URL_S3),
  });
  // A file beside the state is the lock, which only one run can make.
  backend.addOverride('use_lockfile', true);
}

/**
 * A store of one's own with S3's interface knows buckets by paths, and none of Amazon's other
 * services.
 */
function ownStore(address: string | undefined): object {
  return address === undefined
    ? {}
    : {
        endpoints: { s3: address },
        usePathStyle: true,
        skipCredentialsValidation: true,
        skipMetadataApiCheck: true,
        skipRegionValidation: true,
        skipRequestingAccountId: true,
      };
}
