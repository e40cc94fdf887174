import type { Readable } from 'node:stream'

import { UnsuitableImageError } from '../../ci/storage/errors.js'
import { safeFileName } from '../../ci/storage/safe-file-name.js'
import { sniffType } from '../../ci/storage/sniff-type.js'

/** An image uploaded with a request. */
export interface GivenImage {
  filename: string
  /** Size in bytes. */
  size: number
  /** Reads the image from the start; may be called more than once. */
  open(): Readable
}

const TYPES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
  tiff: 'image/tiff',
  ico: 'image/vnd.microsoft.icon',
  webp: 'image/webp',
}

/**
 * The extension of the detected type of an image. Throws `UnsuitableImageError` for a format that could contain scripts or
 * that browsers do not show, and for a file that is too large.
 */
export async function imageExtension(
  image: GivenImage,
  { maxBytes, maxText }: { maxBytes: number; maxText: string },
): Promise<string> {
  const { extension } = await sniffType(image.open())
  if (extension === undefined || !Object.hasOwn(TYPES, extension)) {
    const formats = Object.values(TYPES).join(', ')
    throw new UnsuitableImageError(
      `file format is not supported. Please try one of the following supported formats: ${formats}`,
    )
  }
  if (image.size > maxBytes) throw new UnsuitableImageError(`is too big (should be at most ${maxText})`)
  return extension
}

/** The media type of an image by the extension of its key, which is that of its detected type. */
export function imageType(key: string): string {
  const extension = key.slice(key.lastIndexOf('.') + 1)
  return TYPES[extension] ?? 'application/octet-stream'
}

/**
 * A safe name with this extension, whatever the client has called the file; `otherwise` applies to names of no other
 * format.
 */
export function imageName(
  filename: string,
  { extension, otherwise }: { extension: string; otherwise: string },
): string {
  const name = safeFileName(filename).replace(/\.[^.]*$/, '')
  return `${name === '' ? otherwise : name}.${extension}`
}
