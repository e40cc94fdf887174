import { queryOf } from '../../addresses/address-of.js'
import { projectApi } from '../../addresses/first-reads.js'
import { request } from '../api/client.js'
import { type ShownKind, shownKindOf } from './shown-kind.js'

/** A longer text is shown up to here, in bytes. */
const MAX_TEXT_BYTES = 20 * 1024 * 1024
const CUT_BYTES = 2 * 1024 * 1024
const LFS_POINTER = 'version https://git-lfs.github.com/spec/v1'

export interface ReadFile {
  kind: 'text' | 'shown' | 'binary' | 'lfs'
  /** In bytes; of a file in Git LFS, that of the file itself. */
  size: number
  /** The content of a text, up to `CUT_BYTES` if it is too large. */
  text: string
  isCut: boolean
  /** How the browser shows the file by itself, or the file of a Git LFS pointer. */
  shownAs: ShownKind | undefined
  isExecutable: boolean
  lastCommitId: string
  /** The commit of the branch or tag. */
  commitId: string
}

/** The address of the content of a file in the API, below its prefix. */
export function rawPath(project: string, ref: string, path: string, query: { lfs?: boolean } = {}): string {
  return `${projectApi(project)}/repository/files/${encodeURIComponent(path)}/raw${queryOf({ ref, ...query })}`
}

/**
 * Reads a file. The content of what is no text is not loaded.
 * @throws {RequestError} if there is no such file
 */
export async function readFile(
  project: string,
  ref: string,
  path: string,
  signal: AbortSignal,
): Promise<ReadFile> {
  const abort = new AbortController()
  const response = await request(rawPath(project, ref, path), {
    signal: AbortSignal.any([signal, abort.signal]),
  })
  const { headers } = response
  const size = Number(headers.get('x-gitlab-size') ?? 0)
  const type = headers.get('content-type') ?? ''
  const shownAs = shownKindOf(type)
  const file: ReadFile = {
    kind: shownAs ? 'shown' : type.startsWith('text/plain') ? 'text' : 'binary',
    size,
    text: '',
    isCut: false,
    shownAs,
    isExecutable: headers.get('x-gitlab-execute-filemode') === 'true',
    lastCommitId: headers.get('x-gitlab-last-commit-id') ?? '',
    commitId: headers.get('x-gitlab-commit-id') ?? '',
  }
  if (size < 1024) {
    const text = await response.text()
    const pointer = text.startsWith(LFS_POINTER) && /^size (\d+)$/m.exec(text)
    if (pointer) return { ...file, kind: 'lfs', size: Number(pointer[1]), text }
    return file.kind === 'text' ? { ...file, text } : file
  }
  if (file.kind !== 'text') {
    abort.abort()
    return file
  }
  return { ...file, ...(await readText(response, size)) }
}

/** The text of a response; if it is too large, its beginning. */
export async function readText(response: Response, size: number): Promise<Pick<ReadFile, 'text' | 'isCut'>> {
  if (size <= MAX_TEXT_BYTES) return { text: await response.text(), isCut: false }
  return { text: await readStart(response), isCut: true }
}

/** Whole lines from the beginning of a response. */
async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  // Leaving the loop cancels the rest of the response.
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length >= CUT_BYTES) break
  }
  return text.slice(0, text.lastIndexOf('\n') + 1)
}
