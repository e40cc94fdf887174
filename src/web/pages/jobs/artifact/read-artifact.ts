import { encodePath } from '../../../../addresses/address-of.js'
import { request } from '../../../api/client.js'
import { readText } from '../../../code/read-file.js'
import { type ShownKind, shownKindOf } from '../../../code/shown-kind.js'
import { artifactsPath, isWebPage } from '../artifact-paths.js'

export type ArtifactKind = 'text' | 'html' | 'binary' | ShownKind

export interface ReadArtifact {
  kind: ArtifactKind
  /** In bytes. */
  size: number
  /** Content of a text or of HTML, up to a limit. */
  text: string
  isCut: boolean
}

export function isShown(kind: ArtifactKind): kind is ShownKind {
  return kind !== 'text' && kind !== 'html' && kind !== 'binary'
}

/**
 * Reads a file of the artifacts of a job. The content of what the browser shows by itself is not loaded.
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
  const kind = shownKindOf(response.headers.get('content-type') ?? '')
  if (kind) {
    abort.abort()
    return { kind, size, text: '', isCut: false }
  }
  const read = await readText(response, size)
  const isBinary = read.text.slice(0, 8000).includes('\0')
  return { kind: isBinary ? 'binary' : isWebPage(path) ? 'html' : 'text', size, ...read }
}
