import { InvalidBlobKeyError } from './errors.js'

const KEY_PATTERN = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/

export function isBlobKey(key: string): boolean {
  return KEY_PATTERN.test(key)
}

/** Throws `InvalidBlobKeyError` for anything but segments that are joined by `/` and do not start with a dot. */
export function checkBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new InvalidBlobKeyError(key)
}
