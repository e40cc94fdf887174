import { MoveBlobsError } from './errors.js'
import { isSamePlace, type StoragePlace, type StorageSettings } from './open-blob-store.js'

/**
 * From where to where blobs are moved: from `storage.previous` to `storage`, or, before a coordinator uses `target`, from
 * `storage` to it. Originals are deleted only if coordinators read the copies already. Pure.
 */
export function moveBetween(
  { place, previous }: StorageSettings,
  target: StoragePlace,
  isDeleting: boolean,
): { from: StoragePlace; to: StoragePlace } {
  if (!isSamePlace(place, target)) {
    if (isDeleting) {
      throw new MoveBlobsError(
        '--delete: coordinators read the originals. Make the new place storage.url and the old one ' +
          'storage.previous.url, start all coordinators again, and repeat the command',
      )
    }
    return { from: place, to: target }
  }
  if (previous) return { from: previous, to: target }
  throw new MoveBlobsError(
    'Nothing to move: storage.previous.url names no other place. Set it to where the files are, or name the new ' +
      'place with --to',
  )
}
