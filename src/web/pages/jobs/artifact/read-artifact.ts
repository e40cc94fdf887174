import { encodePath } from '../../../../addresses/address-of.js'
import { request } from '../../../api/client.js'
import { readText } from '../../../code/read-file.js'
import { artifactsPath } from '../artifact-paths.js'

export type ArtifactKind = 'text' | 'image' | 'html' | 'binary'

export interface ReadArtifact {
  kind: ArtifactKind
  /** In bytes. */
  size: number
  /** Content of a text or of HTML, up to a limit. */
  text: string
  isCut: boolean
}

const IMAGE = /\.(png|jpe?g|gif|webp|bmp|svg)$/i
const HTML = /\.x?html?$/i

export function isImage(path: string): boolean {
  return IMAGE.test(path)
}

/**
 * Reads a file of the artifacts of a job. The content of pictures and of binary files is not loaded.
 * @throws {RequestError} if there is no such file
 */
export async function readArtifact(
  project: string,
  jobId: number,
  path: string,
  signal: AbortSignal,
): Promise<ReadArtifact> {
  const abort = new AbortController()
  const response = await request(`${artifactsPath(project, jobId)}/${encodePath(path)}`, {
    signal: AbortSignal.any([signal, abort.signal]),
  })
  const size = Number(response.headers.get('content-length') ?? 0)
  if (isImage(path)) {
    abort.abort()
    return { kind: 'image', size, text: '', isCut: false }
  }
  const read = await readText(response, size)
  const isBinary = read.text.slice(0, 8000).includes('\0')
  return { kind: isBinary ? 'binary' : HTML.test(path) ? 'html' : 'text', size, ...read }
}
