import { DamageError } from '../../../lib/damage.js'
import { SwitchyardError } from '../../../lib/errors.js'

const WHAT_TO_DO = 'An administrator can restore it from a backup'

/** The body is larger than the limit. Nothing of it was stored. */
export class BlobTooLargeError extends SwitchyardError {
  readonly name = 'BlobTooLargeError'
  readonly code = 'BLOB_TOO_LARGE'

  constructor(readonly maxBytes: number) {
    super(`The file is larger than the limit of ${maxBytes} bytes`)
  }
}

/** The database names a blob that the store does not have. */
export class BlobMissingError extends DamageError {
  readonly name = 'BlobMissingError'
  readonly code = 'BLOB_MISSING'
  readonly shown = `The stored file is gone. ${WHAT_TO_DO}`

  constructor(
    readonly key: string,
    options?: ErrorOptions,
  ) {
    super(`The blob store has no object ${key}`, options)
  }

  get thing(): string {
    return this.key
  }
}

/** A blob is not what was stored under its key. */
export class DifferentBlobError extends DamageError {
  readonly name = 'DifferentBlobError'
  readonly code = 'DIFFERENT_BLOB'
  readonly shown: string

  /** @param thing the object with its bucket, or the file */
  constructor(
    readonly thing: string,
    difference: string,
    options?: ErrorOptions,
  ) {
    super(
      `${thing} is not what was stored: ${difference}. Restore it from a backup or an older version, or delete what it ` +
        'belongs to, and check the disks of the store',
      options,
    )
    this.shown = `The stored file is damaged: ${difference}. ${WHAT_TO_DO}`
  }
}

/** The log of a job has fewer bytes than the job has written. */
export class DamagedLogError extends DamageError {
  readonly name = 'DamagedLogError'
  readonly code = 'DAMAGED_LOG'
  readonly shown: string
  readonly thing: string

  /** @param sizes in bytes: what is there, and what the job has written */
  constructor(jobId: number, { size, written }: { size: number; written: number }) {
    const [there, all] = [size, written].map((bytes) => bytes.toLocaleString('en'))
    super(`The log of job ${jobId} is damaged: ${there} of ${all} bytes are there. Restore it from a backup`)
    this.shown = `The log of this job is damaged: ${there} of ${all} bytes are there. ${WHAT_TO_DO}`
    this.thing = `log ${jobId}`
  }
}

/** A key that would leave the root of the store. The program builds all keys itself, so this is a bug. */
export class InvalidBlobKeyError extends SwitchyardError {
  readonly name = 'InvalidBlobKeyError'
  readonly code = 'INVALID_BLOB_KEY'

  constructor(key: string) {
    super(`${JSON.stringify(key)} is not a blob key: use segments of letters, digits, "_", "-" and "."`)
  }
}

/** A file that cannot be used as an image; the message gives the reason, like a validation error. */
export class UnsuitableImageError extends SwitchyardError {
  readonly name = 'UnsuitableImageError'
  readonly code = 'UNSUITABLE_IMAGE'
}

/** The bucket for blobs cannot be used; the message says what to do. */
export class StorageUnusableError extends SwitchyardError {
  readonly name = 'StorageUnusableError'
  readonly code = 'STORAGE_UNUSABLE'
}

/** The copy of a blob, read back, differs from the original. */
export class DamagedBlobError extends SwitchyardError {
  readonly name = 'DamagedBlobError'
  readonly code = 'DAMAGED_BLOB'

  constructor(key: string) {
    super(
      `The copy of ${key} differs from the original. It was deleted. Check the store, and run the command again`,
    )
  }
}

/** The blobs cannot be moved as asked. */
export class MoveBlobsError extends SwitchyardError {
  readonly name = 'MoveBlobsError'
  readonly code = 'MOVE_BLOBS'
}
