import {
  decodeBlock,
  decodeText,
  decodeTexts,
  parseHcl,
  textOf,
  valuesOf,
  type HclItem,
  type HclNode,
} from '../../../src/model/hcl';

/** A block within `provider_installation`, which names one place with providers. */
export interface InstallationMethod {
  /** `filesystem_mirror`, `network_mirror`, `oci_mirror` or `direct`. */
  readonly type: string;
  /** The folder of a `filesystem_mirror`. */
  readonly path?: string;
  /** Patterns of providers: `registry.terraform.io/hashicorp/*`. Empty: all. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** The methods of a `provider_installation` block. */
export interface ProviderInstallation {
  readonly methods: readonly InstallationMethod[];
  /**
   * The addresses of providers that Terraform takes from a folder without installing them
   * (`dev_overrides`).
   */
  readonly overridden: readonly string[];
}

const METHODS = ['filesystem_mirror', 'network_mirror', 'oci_mirror', 'direct'];

/**
 * Reads the `provider_installation` block of a settings file, in HCL or its JSON form.
 *
 * @returns undefined if the file lacks this block
 * @throws HclError for a text that is neither HCL nor JSON
 */
export function providerInstallationOf(settings: string): ProviderInstallation | undefined {
  const [block] = blocksOf(parseHcl(settings).root.items, 'provider_installation');
  if (!block) return undefined;
  return {
    methods: METHODS.flatMap((type) => blocksOf(block, type).map((body) => methodOf(type, body))),
    overridden: blocksOf(block, 'dev_overrides').flatMap((body) =>
      body.map(({ keys }) => (keys[0] ? textOf(keys[0]) : '')),
    ),
  };
}

function methodOf(type: string, body: readonly HclItem[]): InstallationMethod {
  const [path] = valuesOf(body)('path').map((node) => decodeText('path', node));
  return {
    type,
    ...(path !== undefined && { path }),
    include: textsOf(body, 'include'),
    exclude: textsOf(body, 'exclude'),
  };
}

/** Returns the blocks of a name. In the JSON form, blocks of one name are a list. */
function blocksOf(items: readonly HclItem[], name: string): (readonly HclItem[])[] {
  return valuesOf(items)(name)
    .flatMap((node): readonly HclNode[] => (node.type === 'list' ? node.elements : [node]))
    .map((node) => decodeBlock(name, node));
}

function textsOf(body: readonly HclItem[], name: string): readonly string[] {
  return valuesOf(body)(name).flatMap((node) => decodeTexts(name, node));
}
