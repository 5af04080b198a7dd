/**
 * An OCI image layout, which tools such as `oras` copy to a container registry, for OpenTofu's
 * `oci_mirror`.
 */
import { join } from 'node:path';
import { place, readJson, write, writeJson } from './files.mjs';
import { sha256 } from './packages.mjs';

const INDEX = 'application/vnd.oci.image.index.v1+json';
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const EMPTY = 'application/vnd.oci.empty.v1+json';
const PROVIDER = 'application/vnd.opentofu.provider';
const TARGET = 'application/vnd.opentofu.provider-target';
const ZIP = 'archive/zip';
const TAG = 'org.opencontainers.image.ref.name';

/** Adds a version to a layout, with its number as the tag. */
export function writeOci(folder, { version, packages, assets }) {
  const blob = (mediaType, content, place_) => {
    const digest = sha256(content);
    place_(join(folder, 'blobs', 'sha256'), digest);
    return { mediaType, digest: `sha256:${digest}`, size: content.length };
  };
  const document = (mediaType, value) => {
    const content = Buffer.from(JSON.stringify(value));
    return blob(mediaType, content, (blobs, digest) => write(blobs, digest, content));
  };
  const manifests = packages.map(({ os, arch: architecture, zip, name }) => {
    const layer = blob(ZIP, zip, (blobs, digest) => place(assets.path(name), blobs, digest));
    const manifest = document(MANIFEST, {
      schemaVersion: 2,
      mediaType: MANIFEST,
      artifactType: TARGET,
      config: document(EMPTY, {}),
      layers: [layer],
    });
    return { ...manifest, artifactType: TARGET, platform: { os, architecture } };
  });
  const index = document(INDEX, { schemaVersion: 2, mediaType: INDEX, artifactType: PROVIDER, manifests });
  const { manifests: earlier } = readJson(folder, 'index.json', { manifests: [] });
  writeJson(folder, 'oci-layout', { imageLayoutVersion: '1.0.0' });
  writeJson(folder, 'index.json', {
    schemaVersion: 2,
    mediaType: INDEX,
    manifests: [
      ...earlier.filter(({ annotations }) => annotations?.[TAG] !== version),
      { ...index, artifactType: PROVIDER, annotations: { [TAG]: version } },
    ],
  });
}
