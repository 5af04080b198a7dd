/**
 * The package for cdktf, and its twin for CDK Terrain, with all their differences.
 */
import { readPublisher } from '../release/publisher.mjs';

const { mavenGroup, nugetPrefix, goModules } = readPublisher();

export const FLAVOURS = {
  cdktf: flavour({
    framework: 'cdktf',
    namespace: 'Cdktf.VaultAdmin',
    bindings: '@cdktf/provider-vault',
    // The first version of `constructs` whose classes can be compiled for other languages: they
    // have mixins.
    versions: { cdktf: '^0.21.0', '@cdktf/provider-vault': '^15.6.1', constructs: '^10.6.0' },
    words: [],
  }),
  cdktn: flavour({
    framework: 'cdktn',
    namespace: 'Cdktn.VaultAdmin',
    bindings: '@cdktn/provider-vault',
    // The upper bound is the first version without a pre-release. The framework itself limits the
    // versions of constructs.
    versions: { cdktn: '>=0.24.0 <0.27.0', '@cdktn/provider-vault': '^18.0.0', constructs: '^10.6.0' },
    /**
     * The words that differ, in code and in pages. Names of files, environment variables and
     * symbols contain `cdktf` in both packages.
     */
    words: [
      // Passages for users of cdktf only.
      [/<!-- cdktf only -->\n[\s\S]*?<!-- end of cdktf only -->\n/g, ''],
      [/@cdktf\/provider-vault/g, '@cdktn/provider-vault'],
      [/cdktf([-_])cdktf([-_])provider([-_])vault/g, 'cdktn$2provider$3vault'],
      [/\bcdktf_vault_admin\b/g, 'cdktn_vault_admin'],
      [/\bcdktf(-cli)?@0\.21\b/g, 'cdktn$1@0.24'],
      [/\bconstructs@10\b/g, 'constructs@~10.7'],
      [/\bconstructs>=10,<11/g, 'constructs>=10.6,<10.8'],
      [/\bcdktf==0\.21\.\*/g, 'cdktn==0.24.*'],
      [/CDK for Terraform/g, 'CDK Terrain'],
      [/\bcdktf\b(?!\.(?:out|json)\b|\/)/g, 'cdktn'],
    ],
  }),
};

function flavour({ framework, namespace, words, ...others }) {
  const name = `${framework}-vault-admin`;
  return {
    ...others,
    framework,
    name,
    words,
    /** The settings for the tools of jsii. */
    targets: {
      python: {
        distName: name,
        module: name.replaceAll('-', '_'),
        classifiers: ['Framework :: Pytest', 'Topic :: System :: Systems Administration'],
      },
      go: { moduleName: `${goModules}/${name}-go`, packageName: 'vaultadmin' },
      java: { package: `${mavenGroup}.${framework}`, maven: { groupId: mavenGroup, artifactId: name } },
      dotnet: { namespace, packageId: `${nugetPrefix}.${namespace}` },
    },
    /** Returns a text of the sources in the words of this flavour. */
    rewrite: (text) => words.reduce((written, [from, to]) => written.replace(from, to), text),
  };
}
