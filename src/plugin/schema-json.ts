import type { Provider } from './author/provider';
import { getProviderSchema, getResourceIdentitySchemas } from './server/describe';
import {
  Schema_NestedBlock_NestingMode as BlockNesting,
  Schema_Object_NestingMode as AttributeNesting,
  type FunctionMessage,
  type Function_Parameter,
  type ResourceIdentitySchema,
  type Schema as SchemaMessage,
  type Schema_Attribute,
  type Schema_Block,
  type Schema_NestedBlock,
} from './wire/generated/tfplugin6';

type Json = Record<string, unknown>;

const DESCRIPTION_KIND = 'markdown';

/**
 * Returns the output of `terraform providers schema -json` for a provider, without Terraform, for
 * generators of bindings and documentation. Older versions of Terraform leave out parts that they
 * do not support. Strict attributes have their types here, although Terraform does not receive
 * these.
 *
 * @param address the provider's address in configurations, such as `example.com/me/thing`.
 */
export function providerSchemaJson(provider: Provider, address: string): Json {
  const described = getProviderSchema({ provider }, undefined, { strictTypes: true });
  const schema = withoutEmpty({
    provider: schemaJson(described.provider!),
    resource_schemas: mapValues(described.resourceSchemas, schemaJson),
    data_source_schemas: mapValues(described.dataSourceSchemas, schemaJson),
    ephemeral_resource_schemas: mapValues(described.ephemeralResourceSchemas, schemaJson),
    list_resource_schemas: mapValues(described.listResourceSchemas, schemaJson),
    action_schemas: mapValues(described.actionSchemas, ({ schema }) => schemaJson(schema!)),
    functions: mapValues(described.functions, functionJson),
    resource_identity_schemas: mapValues(
      getResourceIdentitySchemas({ provider }).identitySchemas,
      identityJson,
    ),
  });
  return { format_version: '1.0', provider_schemas: { [address]: schema } };
}

function schemaJson({ version, block }: SchemaMessage): Json {
  return { version, block: blockJson(block!) };
}

function blockJson(block: Schema_Block): Json {
  return {
    ...withoutEmpty({
      attributes: attributesJson(block.attributes),
      block_types: Object.fromEntries(
        block.blockTypes.map((nested) => [nested.typeName, nestedBlockJson(nested)]),
      ),
      description: block.description,
      deprecated: block.deprecated,
      deprecation_message: block.deprecationMessage,
    }),
    description_kind: DESCRIPTION_KIND,
  };
}

function nestedBlockJson({ nesting, block, minItems, maxItems }: Schema_NestedBlock): Json {
  return {
    nesting_mode: BlockNesting[nesting].toLowerCase(),
    block: blockJson(block!),
    ...withoutEmpty({ min_items: minItems, max_items: maxItems }),
  };
}

function attributesJson(attributes: readonly Schema_Attribute[]): Json {
  return Object.fromEntries(attributes.map((attribute) => [attribute.name, attributeJson(attribute)]));
}

function attributeJson(attribute: Schema_Attribute): Json {
  const { nestedType } = attribute;
  return {
    ...(nestedType
      ? {
          nested_type: {
            attributes: attributesJson(nestedType.attributes),
            nesting_mode: AttributeNesting[nestedType.nesting].toLowerCase(),
          },
        }
      : { type: typeOf(attribute) }),
    ...withoutEmpty({
      description: attribute.description,
      deprecated: attribute.deprecated,
      deprecation_message: attribute.deprecationMessage,
      required: attribute.required,
      optional: attribute.optional,
      computed: attribute.computed,
      sensitive: attribute.sensitive,
      write_only: attribute.writeOnly,
    }),
    description_kind: DESCRIPTION_KIND,
  };
}

function identityJson({ version, identityAttributes }: ResourceIdentitySchema): Json {
  const attributes = identityAttributes.map((attribute) => [
    attribute.name,
    {
      type: typeOf(attribute),
      ...withoutEmpty({
        description: attribute.description,
        required_for_import: attribute.requiredForImport,
        optional_for_import: attribute.optionalForImport,
      }),
    },
  ]);
  return { version, attributes: Object.fromEntries(attributes) as Json };
}

function functionJson(definition: FunctionMessage): Json {
  return withoutEmpty({
    description: definition.description,
    summary: definition.summary,
    deprecation_message: definition.deprecationMessage,
    return_type: typeOf(definition.return!),
    parameters: definition.parameters.map(parameterJson),
    variadic_parameter: definition.variadicParameter && parameterJson(definition.variadicParameter),
  });
}

function parameterJson(parameter: Function_Parameter): Json {
  return {
    name: parameter.name,
    ...withoutEmpty({ description: parameter.description, is_nullable: parameter.allowNullValue }),
    type: typeOf(parameter),
  };
}

function typeOf({ type }: { readonly type: Uint8Array }): unknown {
  return JSON.parse(Buffer.from(type).toString());
}

function mapValues<T>(map: Readonly<Record<string, T>>, change: (value: T) => Json): Json {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
}

/**
 * Returns an object without false, zero, empty texts, and empty lists and objects, which Terraform
 * does not print.
 */
function withoutEmpty(object: Json): Json {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  return !value || (typeof value === 'object' && Object.keys(value).length === 0);
}
