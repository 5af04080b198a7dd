import type { RequestContext } from '../../../objects';
import { Member, type MemberSubject } from '../../shared/member';

/** The members of a set by cluster name, and how progress is reported. */
export class Fleet {
  readonly #context: RequestContext;
  readonly #subject: MemberSubject;

  constructor(context: RequestContext, subject: MemberSubject) {
    this.#context = context;
    this.#subject = subject;
  }

  get title(): string {
    return this.#subject.title;
  }

  get log(): RequestContext['log'] {
    return this.#context.log;
  }

  /** Keeps a secret out of logs and messages. */
  mask(secret: string): void {
    this.#context.mask(secret);
  }

  /** Whether the user has stopped Terraform. */
  get stopped(): boolean {
    return this.#context.signal.aborted;
  }

  member(cluster: string): Member {
    return new Member(cluster, this.#subject, this.#context);
  }
}
