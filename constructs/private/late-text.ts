import { Token, type IResolvable, Lazy } from 'cdktf';

/**
 * Returns a text that is produced at synthesis. This does not use `Lazy` of the framework, which
 * records a stack trace for each value: that takes more time than everything else about a policy.
 */
export function lateText(produce: () => string): string {
  return Token.asString(new LateText(produce));
}

class LateText implements IResolvable {
  readonly creationStack: string[] = [];

  constructor(private readonly produce: () => string) {}

  resolve(): string {
    return this.produce();
  }

  toString(): string {
    return Token.asString(this);
  }
}

/**
 * Returns a value whose keys stay as they are. The framework would convert all keys to snake case,
 * including those of users.
 */
export function verbatim(produce: () => unknown): IResolvable {
  return Lazy.anyValue({ produce });
}
