import { extname } from 'node:path'

import { type Blob, blobStart } from './blobs.js'
import type { Reading } from './reading.js'

/** Image formats that cannot run scripts in a browser. */
const IMAGES: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.bmp': 'image/bmp',
  '.ico': 'image/vnd.microsoft.icon',
}

/** The content type of an image that cannot run scripts, by the name of the file. */
export function imageType(fileName: string): string | undefined {
  return IMAGES[extname(fileName).toLowerCase()]
}

/** Number of bytes that git checks to tell text from binary files. */
const LOOKED_AT_BYTES = 8000

/** Content type of a raw file. No HTML, script or SVG of a repository is served as such (API, E4). */
export async function rawType(reading: Reading, blob: Blob, fileName: string): Promise<string> {
  const image = imageType(fileName)
  if (image !== undefined) return image
  const isBinary = (await blobStart(reading, blob, LOOKED_AT_BYTES)).includes(0)
  return isBinary ? 'application/octet-stream' : 'text/plain'
}
