import { SwitchyardError } from '../../../lib/errors.js'

/** More bytes arrived than the limit allows; nothing of them was kept. */
export class BlobTooLargeError extends SwitchyardError {
  readonly name = 'BlobTooLargeError'
  readonly code = 'BLOB_TOO_LARGE'

  constructor(readonly maxBytes: number) {
    super(`The file is larger than the limit of ${maxBytes} bytes`)
  }
}

/** The database names a blob that the store does not have. */
export class BlobMissingError extends SwitchyardError {
  readonly name = 'BlobMissingError'
  readonly code = 'BLOB_MISSING'

  constructor(
    readonly key: string,
    options?: ErrorOptions,
  ) {
    super(`The blob store has no object ${key}`, options)
  }
}

/** A key that could leave the store's root. Keys are made by this program, so that this is a fault of its own. */
export class InvalidBlobKeyError extends SwitchyardError {
  readonly name = 'InvalidBlobKeyError'
  readonly code = 'INVALID_BLOB_KEY'

  constructor(key: string) {
    super(`${JSON.stringify(key)} is not a blob key: use segments of letters, digits, "_", "-" and "."`)
  }
}

/** A file that is to be a picture of something and cannot be; the message says why, as a validation does. */
export class UnsuitableImageError extends SwitchyardError {
  readonly name = 'UnsuitableImageError'
  readonly code = 'UNSUITABLE_IMAGE'
}
