import { Lazy, type IResolvable } from 'cdktf';

/** A value whose keys stay as they are: the framework writes keys of its own in snake case, users' keys too. */
export function verbatim(produce: () => unknown): IResolvable {
  return Lazy.anyValue({ produce });
}
