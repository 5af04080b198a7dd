/**
 * Tests the OCI layout of a release: its documents, and OpenTofu's `oci_mirror` with a container
 * registry that serves the layout.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { PROVIDER_ADDRESS, PROVIDER_VERSION } from '../../src/provider';
import { openTofu, warnNoOpenTofu } from '../support/open-tofu';
import { Consumer } from './support/consumer';
import { sendFile } from './support/https-server';
import { PLATFORMS, release } from './support/release';

const INDEX = 'application/vnd.oci.image.index.v1+json';
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const TARGET = 'application/vnd.opentofu.provider-target';

interface Descriptor {
  readonly mediaType: string;
  readonly artifactType?: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly os: string; readonly architecture: string };
  readonly annotations?: Readonly<Record<string, string>>;
}
interface Document {
  readonly mediaType: string;
  readonly artifactType?: string;
  readonly manifests: readonly Descriptor[];
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

let layout: string;
beforeAll(async () => {
  layout = join(await release(), 'oci');
});

const blobFile = (digest: string) => join(layout, 'blobs', ...digest.split(':'));
const document = ({ digest }: Descriptor) => JSON.parse(readFileSync(blobFile(digest), 'utf8')) as Document;
const index = () => JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as Document;

test('all blobs have the content of their digest and the size of their descriptor', () => {
  const reached = new Map<string, number>();
  const visit = (descriptor: Descriptor) => {
    reached.set(descriptor.digest, descriptor.size);
    if (![INDEX, MANIFEST].includes(descriptor.mediaType)) return;
    const { manifests = [], config, layers = [] } = document(descriptor) as Partial<Document>;
    for (const each of [...manifests, ...(config ? [config] : []), ...layers]) visit(each);
  };
  index().manifests.forEach(visit);
  const blobs = readdirSync(join(layout, 'blobs', 'sha256'));
  expect(blobs.map((name) => `sha256:${name}`).sort()).toEqual([...reached.keys()].sort());
  for (const [digest, size] of reached) {
    const content = readFileSync(blobFile(digest));
    expect(`sha256:${createHash('sha256').update(content).digest('hex')}`).toBe(digest);
    expect(content.length).toBe(size);
  }
});

test('the version is a tag of an index with the media types of OpenTofu, and one zip for each platform', () => {
  expect(JSON.parse(readFileSync(join(layout, 'oci-layout'), 'utf8'))).toEqual({
    imageLayoutVersion: '1.0.0',
  });
  const [tagged, ...others] = index().manifests;
  expect(others).toEqual([]);
  expect(tagged).toMatchObject({
    mediaType: INDEX,
    annotations: { 'org.opencontainers.image.ref.name': PROVIDER_VERSION },
  });
  const provider = document(tagged!);
  expect(provider).toMatchObject({ mediaType: INDEX, artifactType: 'application/vnd.opentofu.provider' });
  const platforms = provider.manifests.map(({ platform }) => `${platform?.os}_${platform?.architecture}`);
  expect(platforms.sort()).toEqual(PLATFORMS);
  for (const target of provider.manifests) {
    expect(target).toMatchObject({ mediaType: MANIFEST, artifactType: TARGET });
    const manifest = document(target);
    expect(manifest).toMatchObject({ mediaType: MANIFEST, artifactType: TARGET });
    expect(manifest.layers.map(({ mediaType }) => mediaType)).toEqual(['archive/zip']);
    const { os, architecture } = target.platform!;
    const zip = `terraform-provider-vaultadmin_${PROVIDER_VERSION}_${os}_${architecture}.zip`;
    const asset = readFileSync(join(layout, '..', 'assets', zip));
    expect(manifest.layers[0]!.digest).toBe(`sha256:${createHash('sha256').update(asset).digest('hex')}`);
  }
});

/**
 * Answers like a container registry: with the tags, manifests and blobs of the layout, in one
 * repository.
 */
function containerRegistry({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const [, kind, reference = ''] = /^\/v2\/terraform\/vaultadmin\/(\w+)\/([\w.:]+)/.exec(url) ?? [];
  const json = (value: object) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (url === '/v2/') return void json({});
  if (kind === 'tags') return void json({ name: 'terraform/vaultadmin', tags: [PROVIDER_VERSION] });
  const tagged = index().manifests.find(
    ({ annotations }) => annotations?.['org.opencontainers.image.ref.name'] === reference,
  );
  const digest = tagged?.digest ?? reference;
  if (kind === 'blobs') return sendFile(blobFile(digest), response, 'application/octet-stream');
  if (kind !== 'manifests') return void response.writeHead(404).end();
  response.setHeader('docker-content-digest', digest);
  sendFile(blobFile(digest), response, document({ digest } as Descriptor).mediaType);
}

const tofu = openTofu();
if (tofu === undefined) warnNoOpenTofu('the OCI layout of a release in a container registry (`oci_mirror`)');

(tofu === undefined ? test.skip : test)('OpenTofu plans and applies from a container registry', async () => {
  await using consumer = await Consumer.start(containerRegistry, tofu);
  consumer.configure(
    PROVIDER_ADDRESS,
    `provider_installation {
  oci_mirror {
    repository_template = "${consumer.server.host}/terraform/\${type}"
    include             = ["vault-admin.internal/cdktf/*"]
  }
}
`,
  );
  await consumer.deploys();
  expect(consumer.server.paths).toContain('/v2/terraform/vaultadmin/tags/list');
});
