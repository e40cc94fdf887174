import { SwitchyardError } from '../../../lib/errors.js'

/** A file of a journal is not what this version writes. */
export class JournalError extends SwitchyardError {
  readonly name = 'JournalError'
  readonly code = 'JOURNAL_UNREADABLE'

  constructor(place: string, options?: ErrorOptions) {
    super(`${place} is not the journal of a job`, options)
  }
}
