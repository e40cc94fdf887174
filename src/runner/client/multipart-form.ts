import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'

export interface Form {
  contentType: string
  body: Readable
}

/**
 * A streamed form with one file in the field `file` (runner protocol, 5.1). Errors of `content` are passed to
 * `body`.
 */
export function fileForm(fileName: string, content: Readable): Form {
  const boundary = `switchyard-${randomBytes(16).toString('hex')}`
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Readable.from(parts(boundary, fileName, content), { objectMode: false }),
  }
}

async function* parts(boundary: string, fileName: string, content: Readable): AsyncGenerator<Buffer> {
  yield Buffer.from(
    `--${boundary}\r\n` +
      `Content-Disposition: form-data; name="file"; filename="${escapeName(fileName)}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  )
  for await (const chunk of content) yield chunk as Buffer
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

function escapeName(fileName: string): string {
  return fileName
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '%22')
    .replace(/[\r\n]/g, ' ')
}
