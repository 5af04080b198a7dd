import { Token, type IResolvable, Lazy } from 'cdktf';

/**
 * A text that is produced at synthesis. `Lazy` of the framework would do, but it records a stack trace for each
 * value, which costs more than everything else about a policy.
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

/** A value whose keys stay as they are: the framework writes keys of its own in snake case, users' keys too. */
export function verbatim(produce: () => unknown): IResolvable {
  return Lazy.anyValue({ produce });
}
