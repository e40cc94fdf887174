import { SwitchyardError } from '../../../../lib/errors.js'

/** Rules forbid this user to change the refs; `reasons` has one sentence per rule. */
export class RefsRefusedError extends SwitchyardError {
  readonly name = 'RefsRefusedError'
  readonly code = 'REFS_REFUSED'

  constructor(readonly reasons: string[]) {
    super(reasons.join(' '))
  }
}

/** A ref has another value than expected, or its name conflicts with an existing one. */
export class RefsMovedError extends SwitchyardError {
  readonly name = 'RefsMovedError'
  readonly code = 'REFS_MOVED'

  constructor(refs: string[], options?: ErrorOptions) {
    super(`Could not update ${refs.join(', ')}. Please refresh and try again.`, options)
  }
}

/** A file change of a commit is not possible; the message says why. */
export class FileChangeError extends SwitchyardError {
  readonly name = 'FileChangeError'
  readonly code = 'FILE_CHANGE'
  /** Whether another user has changed the file since it was read. */
  readonly isStale: boolean

  constructor(message: string, { isStale = false, cause }: { isStale?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isStale = isStale
  }
}

/** The target branch of a commit does not exist. */
export class BranchNotFoundError extends SwitchyardError {
  readonly name = 'BranchNotFoundError'
  readonly code = 'BRANCH_NOT_FOUND'

  constructor(branch: string) {
    super(`Branch ${branch} does not exist`)
  }
}

/** Git cannot merge the changes. */
export class MergeConflictError extends SwitchyardError {
  readonly name = 'MergeConflictError'
  readonly code = 'MERGE_CONFLICT'

  constructor(readonly problem: 'conflict' | 'empty') {
    super(problem === 'empty' ? 'The branch already contains this change' : 'The changes conflict')
  }
}

/** The source branch does not contain the head of the target branch, as the merge method requires. */
export class NotFastForwardError extends SwitchyardError {
  readonly name = 'NotFastForwardError'
  readonly code = 'NOT_FAST_FORWARD'

  constructor() {
    super('Fast-forward merge is not possible. Rebase the source branch onto the target branch')
  }
}
