import type { Identity } from '../author/resource';
import type { Parameter, ProviderFunction } from '../author/function';
import type { Attribute, Attributes, Block, Schema } from '../author/schema';
import { typeJson, type Type } from '../values/type';
import {
  Schema_NestedBlock_NestingMode,
  Schema_Object_NestingMode,
  StringKind,
  type FunctionMessage,
  type Function_Parameter,
  type ResourceIdentitySchema,
  type Schema as SchemaMessage,
  type Schema_Attribute,
  type Schema_Block,
  type Schema_NestedBlock,
} from '../wire/generated/tfplugin6';
import { attributeType, contentOf, type Content } from './content';
import { isStrict } from './strict-values';

const NO_BYTES = new Uint8Array(0);

const ATTRIBUTE_NESTING = {
  single: Schema_Object_NestingMode.SINGLE,
  list: Schema_Object_NestingMode.LIST,
  set: Schema_Object_NestingMode.SET,
  map: Schema_Object_NestingMode.MAP,
};
const BLOCK_NESTING = {
  single: Schema_NestedBlock_NestingMode.SINGLE,
  list: Schema_NestedBlock_NestingMode.LIST,
  set: Schema_NestedBlock_NestingMode.SET,
};

/** The options for the description of a schema. */
export interface Description {
  /**
   * Whether strict attributes have the types that their values must have, which are hidden from
   * Terraform.
   */
  readonly strictTypes: boolean;
}

/** Returns the message of the protocol about a schema. */
export function schemaMessage(
  schema: Schema,
  description: Description = { strictTypes: false },
): SchemaMessage {
  return { version: schema.version ?? 0, block: blockMessage(contentOf(schema), schema, description) };
}

function blockMessage(
  content: Content,
  { description = '', deprecated }: Pick<Schema, 'description' | 'deprecated'>,
  how: Description,
) {
  return {
    version: 0,
    attributes: attributeMessages(content.attributes, how),
    blockTypes: Object.entries(content.blocks).map(([name, block]) => nestedBlockMessage(name, block, how)),
    description,
    descriptionKind: StringKind.MARKDOWN,
    deprecated: deprecated !== undefined,
    deprecationMessage: deprecated ?? '',
  } satisfies Schema_Block;
}

function nestedBlockMessage(typeName: string, block: Block, how: Description): Schema_NestedBlock {
  const { minItems = 0, maxItems = 0 } = block.options;
  return {
    typeName,
    block: blockMessage(block, block.options, how),
    nesting: BLOCK_NESTING[block.nesting],
    minItems,
    // For a single block, Terraform requires the maximum to equal the minimum.
    maxItems: block.nesting === 'single' ? minItems : maxItems,
  };
}

function attributeMessages(attributes: Attributes, how: Description): Schema_Attribute[] {
  return Object.entries(attributes).map(([name, attribute]) => attributeMessage(name, attribute, how));
}

function attributeMessage(name: string, attribute: Attribute, how: Description): Schema_Attribute {
  const { options } = attribute;
  const isTyped = attribute.kind === 'nested' && (!isStrict(attribute) || how.strictTypes);
  return {
    name,
    type: isTyped ? NO_BYTES : typeBytes(attributeType(attribute)),
    ...(isTyped && {
      nestedType: {
        attributes: attributeMessages(attribute.attributes, how),
        nesting: ATTRIBUTE_NESTING[attribute.nesting],
      },
    }),
    description: options.description ?? '',
    descriptionKind: StringKind.MARKDOWN,
    required: options.required ?? false,
    optional: options.optional ?? false,
    computed: isComputed(attribute),
    sensitive: options.sensitive ?? false,
    deprecated: options.deprecated !== undefined,
    deprecationMessage: options.deprecated ?? '',
    writeOnly: options.writeOnly ?? false,
  };
}

/** Whether the provider may set it. Terraform only accepts defaults for computed attributes. */
export function isComputed({ options }: Attribute): boolean {
  return options.computed === true || options.default !== undefined;
}

export function functionMessage(definition: ProviderFunction): FunctionMessage {
  return {
    parameters: definition.parameters.map(parameterMessage),
    ...(definition.variadic && { variadicParameter: parameterMessage(definition.variadic) }),
    return: { type: typeBytes(definition.returns) },
    summary: definition.summary,
    description: definition.description ?? '',
    descriptionKind: StringKind.MARKDOWN,
    deprecationMessage: definition.deprecated ?? '',
  };
}

function parameterMessage({ name, type, description = '' }: Parameter): Function_Parameter {
  return {
    name,
    type: typeBytes(type),
    allowNullValue: type.nullable ?? false,
    allowUnknownValues: false,
    description,
    descriptionKind: StringKind.MARKDOWN,
  };
}

export function identitySchemaMessage(identity: Identity<Schema>): ResourceIdentitySchema {
  return {
    version: identity.version ?? 0,
    identityAttributes: Object.entries(identity.attributes).map(([name, attribute]) => ({
      name,
      type: typeBytes(attribute.type),
      requiredForImport: attribute.requiredForImport,
      optionalForImport: !attribute.requiredForImport,
      description: attribute.description ?? '',
    })),
  };
}

function typeBytes(type: Type): Uint8Array {
  return Buffer.from(JSON.stringify(typeJson(type)));
}
