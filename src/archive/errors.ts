import { messageOf, SwitchyardError } from '../lib/errors.js'
import { formatBytes } from '../lib/format-bytes.js'

/** An archive that would write outside its target directory or fill the disk. Unpacking stops. */
export class UnsafeArchiveError extends SwitchyardError {
  readonly name = 'UnsafeArchiveError'
  readonly code = 'UNSAFE_ARCHIVE'
}

/** Not a zip, a damaged zip, or one with an unsupported feature (encryption, multiple disks). */
export class UnreadableArchiveError extends SwitchyardError {
  readonly name = 'UnreadableArchiveError'
  readonly code = 'UNREADABLE_ARCHIVE'
}

/** Converts an error of reading an archive into an `UnreadableArchiveError`. */
export function unreadable(error: unknown): UnreadableArchiveError {
  if (error instanceof UnreadableArchiveError) return error
  return new UnreadableArchiveError(`The archive cannot be read: ${messageOf(error)}`, { cause: error })
}

/** Files that an archive cannot hold, because unpacking it would be refused. */
export class TooManyBytesError extends SwitchyardError {
  readonly name = 'TooManyBytesError'
  readonly code = 'TOO_MANY_BYTES'

  /** `file` is the first one that does not fit. */
  constructor(file: string, maximumBytes: number) {
    super(
      `The files have more than ${formatBytes(maximumBytes)}, the most that an archive may hold, ` +
        `with ${JSON.stringify(file)}. Exclude it, or make it smaller.`,
    )
  }
}

/** A name that must be a regular file is something else, or is behind a link. */
export class NotAFileError extends SwitchyardError {
  readonly name = 'NotAFileError'
  readonly code = 'NOT_A_FILE'

  constructor(file: string) {
    super(`${file} is not a regular file`)
  }
}
