import { SentinelSyntaxError } from '../../source/errors';
import type { SourceText } from '../../source/source-text';
import type { Body, ConfigBlock } from './hcl';

/** A configuration, and the text that it is read from. */
interface ReadBody {
  readonly body: Body;
  readonly source: SourceText;
}

/**
 * Merges override files into a configuration, in their order: attributes replace those of the block
 * with the same type and labels, and nested blocks replace all of the same type. Blocks `test` may
 * be new.
 *
 * @throws SentinelSyntaxError for any other block that the configuration does not have.
 */
export function mergeOverrides(body: Body, overrides: readonly ReadBody[]): Body {
  return overrides.reduce((merged, { body: over, source }) => mergeFile(merged, over, source), body);
}

function mergeFile(body: Body, over: Body, source: SourceText): Body {
  const blocks = [...body.blocks];
  for (const block of over.blocks) {
    const at = blocks.findIndex((each) => titleOf(each) === titleOf(block));
    const found = blocks[at];
    if (found) blocks[at] = mergeBlock(found, block);
    else if (block.type === 'test') blocks.push(block);
    else {
      const problem = `there is no block ${titleOf(block)} to override`;
      throw new SentinelSyntaxError(source, block.span, problem, 'add it to the configuration');
    }
  }
  return { attributes: new Map([...body.attributes, ...over.attributes]), blocks };
}

function mergeBlock(block: ConfigBlock, over: ConfigBlock): ConfigBlock {
  const replaced = new Set(over.body.blocks.map(({ type }) => type));
  return {
    ...block,
    body: {
      attributes: new Map([...block.body.attributes, ...over.body.attributes]),
      blocks: [...block.body.blocks.filter(({ type }) => !replaced.has(type)), ...over.body.blocks],
    },
  };
}

/** Returns the title of a block: `policy "main"`. */
function titleOf({ type, labels }: ConfigBlock): string {
  return [type, ...labels.map((label) => JSON.stringify(label))].join(' ');
}
