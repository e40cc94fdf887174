import { SwitchyardError } from '../../../../lib/errors.js'

/** Refs that their rules keep from this user; `reasons` has one sentence for each rule. */
export class RefsRefusedError extends SwitchyardError {
  readonly name = 'RefsRefusedError'
  readonly code = 'REFS_REFUSED'

  constructor(readonly reasons: string[]) {
    super(reasons.join(' '))
  }
}

/** A ref is not (any more) what the change started from, or a name stands in the way of another. */
export class RefsMovedError extends SwitchyardError {
  readonly name = 'RefsMovedError'
  readonly code = 'REFS_MOVED'

  constructor(refs: string[], options?: ErrorOptions) {
    super(`Could not update ${refs.join(', ')}. Please refresh and try again.`, options)
  }
}

/** What a commit asks for cannot be done to the files that are there; the message says why. */
export class FileChangeError extends SwitchyardError {
  readonly name = 'FileChangeError'
  readonly code = 'FILE_CHANGE'
  /** Somebody has changed the file since the user saw it. */
  readonly isStale: boolean

  constructor(message: string, { isStale = false, cause }: { isStale?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isStale = isStale
  }
}

/** The branch that a commit should go to is not there. */
export class BranchNotFoundError extends SwitchyardError {
  readonly name = 'BranchNotFoundError'
  readonly code = 'BRANCH_NOT_FOUND'

  constructor(branch: string) {
    super(`There is no branch ${branch}`)
  }
}

/** Two changes that git cannot put together. */
export class MergeConflictError extends SwitchyardError {
  readonly name = 'MergeConflictError'
  readonly code = 'MERGE_CONFLICT'

  constructor(readonly problem: 'conflict' | 'empty') {
    super(problem === 'empty' ? 'The change is there already' : 'The changes contradict each other')
  }
}
