import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { extract } from 'tar-stream'

/** Of a file that others made: more than this is not read. */
const MOST_BYTES = 1024 * 1024

/**
 * The first entry of a tar archive: the text of a file, or where a link leads. The rest of the archive is not read: the
 * stream, and with it the connection to the engine, is closed.
 */
export async function readFromArchive(
  archive: NodeJS.ReadableStream,
): Promise<{ text: string; link?: string | undefined }> {
  const source = archive instanceof Readable ? archive : Readable.from(archive)
  try {
    for await (const entry of source.pipe(extract())) {
      const { type, size, linkname } = entry.header
      if (type === 'symlink') return { text: '', link: linkname }
      if (type !== 'file' || size > MOST_BYTES) return { text: '' }
      return { text: await text(entry) }
    }
    return { text: '' }
  } finally {
    source.destroy()
  }
}
