import { randomBytes } from 'node:crypto'

import type { BlobStore } from '../../ci/storage/blob-store.js'
import { UnsuitableImageError } from '../../ci/storage/errors.js'
import { type ImageKind, type StoredImage } from '../../database/stores/appearance-store.js'
import type { GivenImage } from '../../hosting/avatars/image-format.js'
import { imageExtension, imageName } from '../../hosting/avatars/image-format.js'
import { invalidRecord } from '../../http/errors.js'

const MAX_BYTES = 1024 * 1024

/** Throws 400 for a file that is no image of a format without scripts, or too large. */
export async function checkImage(kind: ImageKind, image: GivenImage): Promise<string> {
  try {
    return await imageExtension(image, { maxBytes: MAX_BYTES, maxText: '1 MiB' })
  } catch (error) {
    if (!(error instanceof UnsuitableImageError)) throw error
    throw invalidRecord({ [kind]: [error.message] })
  }
}

/** Writes an image that no setting names yet. Throws as `checkImage` does. */
export async function saveImage(blobs: BlobStore, kind: ImageKind, image: GivenImage): Promise<StoredImage> {
  const extension = await checkImage(kind, image)
  // The number is that of the one appearance, as in addresses.
  const key = `appearance/1/${randomBytes(16).toString('hex')}.${extension}`
  await blobs.write(key, image.open())
  return { key, name: imageName(image.filename, { extension, otherwise: kind }) }
}

/** Path of an image below the address of the instance. */
export function imageAddress(kind: ImageKind, image: StoredImage | null): string | null {
  return image && `/uploads/-/system/appearance/${kind}/1/${encodeURIComponent(image.name)}`
}
