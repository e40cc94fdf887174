import { MoveBlobsError } from './errors.js'
import { isSameLocation, type StorageLocation, type StorageSettings } from './open-blob-store.js'

/**
 * The source and target of moved blobs: from `storage.previous` to `storage`, or, before a coordinator uses `target`,
 * from `storage` to it. Originals are deleted only if coordinators read the copies already. Pure.
 */
export function moveBetween(
  { location, previous }: StorageSettings,
  target: StorageLocation,
  isDeleting: boolean,
): { from: StorageLocation; to: StorageLocation } {
  if (!isSameLocation(location, target)) {
    if (isDeleting) {
      throw new MoveBlobsError(
        '--delete: coordinators read the originals. Make the new location storage.url and the old one ' +
          'storage.previous.url, start all coordinators again, and repeat the command',
      )
    }
    return { from: location, to: target }
  }
  if (previous) return { from: previous, to: target }
  throw new MoveBlobsError(
    'Nothing to move: storage.previous.url names no other location. Set it to where the files are, or name the new ' +
      'location with --to',
  )
}
