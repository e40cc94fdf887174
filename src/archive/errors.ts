import { messageOf, SwitchyardError } from '../lib/errors.js'

/** An archive that would write outside its target or fill the disk; nothing more of it is unpacked. */
export class UnsafeArchiveError extends SwitchyardError {
  readonly name = 'UnsafeArchiveError'
  readonly code = 'UNSAFE_ARCHIVE'
}

/** Not a zip, a broken one, or one that needs what is not supported (encryption, several disks). */
export class UnreadableArchiveError extends SwitchyardError {
  readonly name = 'UnreadableArchiveError'
  readonly code = 'UNREADABLE_ARCHIVE'
}

/** What went wrong while an archive was read, as an `UnreadableArchiveError`. */
export function unreadable(error: unknown): UnreadableArchiveError {
  if (error instanceof UnreadableArchiveError) return error
  return new UnreadableArchiveError(`The archive cannot be read: ${messageOf(error)}`, { cause: error })
}

/** A name that is to be read as a regular file and is something else, or lies behind a link. */
export class NotAFileError extends SwitchyardError {
  readonly name = 'NotAFileError'
  readonly code = 'NOT_A_FILE'

  constructor(file: string) {
    super(`${file} is not a regular file`)
  }
}
