import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** Maximum number of bytes read from a file of unknown origin. */
const MAX_BYTES = 1024 * 1024

/**
 * Reads the first entry of a tar archive: the text of a file, or the target of a link. The rest is not read. The
 * stream is closed, and with it the connection to the engine.
 */
export async function readFromArchive(
  archive: NodeJS.ReadableStream,
): Promise<{ text: string; link?: string | undefined }> {
  // Loaded on demand, to save memory in idle runners.
  const { extract } = await import('tar-stream')
  const source = archive instanceof Readable ? archive : Readable.from(archive)
  try {
    for await (const entry of source.pipe(extract())) {
      const { type, size, linkname } = entry.header
      if (type === 'symlink') return { text: '', link: linkname }
      if (type !== 'file' || size > MAX_BYTES) return { text: '' }
      return { text: await text(entry) }
    }
    return { text: '' }
  } finally {
    source.destroy()
  }
}
