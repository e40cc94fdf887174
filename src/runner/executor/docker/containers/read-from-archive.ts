import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { extract } from 'tar-stream'

/** Of a file that others made: more than this is not read. */
const MOST_BYTES = 1024 * 1024

/** The first entry of a tar archive: the text of a file, or where a link leads. */
export async function readFromArchive(
  archive: NodeJS.ReadableStream,
): Promise<{ text: string; link?: string | undefined }> {
  const entries = Readable.from(archive).pipe(extract())
  for await (const entry of entries) {
    const { type, size, linkname } = entry.header
    if (type === 'symlink') return { text: '', link: linkname }
    if (type !== 'file' || size > MOST_BYTES) return { text: '' }
    return { text: await text(entry) }
  }
  return { text: '' }
}
