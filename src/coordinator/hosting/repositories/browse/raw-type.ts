import { shownType } from '../../../http/shown-types.js'
import { type Blob, blobStart } from './blobs.js'
import type { Reading } from './reading.js'

/** Number of bytes that git checks to tell text from binary files. */
const LOOKED_AT_BYTES = 8000

/** Content type of a raw file. No HTML, script or SVG of a repository is served as such (API, E4). */
export async function rawType(reading: Reading, blob: Blob, fileName: string): Promise<string> {
  const shown = shownType(fileName)
  if (shown !== undefined) return shown
  const isBinary = (await blobStart(reading, blob, LOOKED_AT_BYTES)).includes(0)
  return isBinary ? 'application/octet-stream' : 'text/plain'
}
