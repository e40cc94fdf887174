import { BlobMissingError } from './errors.js'

/**
 * What `open` returns. Undefined if it finds no blob because the row that named it was deleted or names another one since.
 * @param isNamed looks whether a row still names the blob. Then the blob is lost, and the error of `open` is thrown.
 */
export async function unlessDeleted<T>(
  open: () => Promise<T>,
  isNamed: () => Promise<boolean>,
): Promise<T | undefined> {
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof BlobMissingError) || (await isNamed())) throw error
    return undefined
  }
}
