import { extname } from 'node:path'

import { type Blob, blobStart } from './blobs.js'
import type { Reading } from './reading.js'

/** Images that can run nothing in a browser. */
const IMAGES: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.bmp': 'image/bmp',
  '.ico': 'image/vnd.microsoft.icon',
}

/** As much as git itself looks at to tell text from other bytes. */
const LOOKED_AT_BYTES = 8000

/** How a file is sent: no page, script or drawing of a repository is ever one to a browser (API, E4). */
export async function rawType(reading: Reading, blob: Blob, fileName: string): Promise<string> {
  const image = IMAGES[extname(fileName).toLowerCase()]
  if (image) return image
  const isBinary = (await blobStart(reading, blob, LOOKED_AT_BYTES)).includes(0)
  return isBinary ? 'application/octet-stream' : 'text/plain'
}
