import { SwitchyardError } from '../../../lib/errors.js'

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
}

/** Two changes that git cannot put together. */
export class MergeConflictError extends SwitchyardError {
  readonly name = 'MergeConflictError'
  readonly code = 'MERGE_CONFLICT'

  constructor(readonly problem: 'conflict' | 'empty') {
    super(problem === 'empty' ? 'The change is there already' : 'The changes contradict each other')
  }
}
