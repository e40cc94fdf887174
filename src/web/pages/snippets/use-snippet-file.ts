import { useEffect, useState } from 'preact/hooks'

import { request, RequestError } from '../../api/client.js'
import { readText } from '../../code/read-file.js'
import { type ShownKind, shownKindOf } from '../../code/shown-kind.js'

export interface SnippetFile {
  /** Undefined for what is no text. */
  text: string | undefined
  /** Only the beginning of the text was read. */
  isCut: boolean
  /** How the browser shows it by itself. */
  shownAs: ShownKind | undefined
}

interface FileRead {
  data: SnippetFile | undefined
  error: RequestError | null
  refetch: () => void
}

/**
 * Reads a file of a snippet.
 * @param path of its content in the API
 */
export function useSnippetFile(path: string): FileRead {
  const [read, setRead] = useState<Omit<FileRead, 'refetch'>>({ data: undefined, error: null })
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    readSnippetFile(path, abort.signal).then(
      (data) => setRead({ data, error: null }),
      (error: unknown) => {
        if (abort.signal.aborted) return
        if (!(error instanceof RequestError)) throw error
        setRead({ data: undefined, error })
      },
    )
    return () => abort.abort()
  }, [path, attempt])
  return { ...read, refetch: () => setAttempt(attempt + 1) }
}

/** @throws {RequestError} if there is no such file */
export async function readSnippetFile(path: string, signal: AbortSignal): Promise<SnippetFile> {
  const abort = new AbortController()
  const response = await request(path, { signal: AbortSignal.any([signal, abort.signal]) })
  const type = response.headers.get('content-type') ?? ''
  if (!type.startsWith('text/plain')) {
    abort.abort()
    return { text: undefined, isCut: false, shownAs: shownKindOf(type) }
  }
  const size = Number(response.headers.get('content-length') ?? 0)
  return { ...(await readText(response, size)), shownAs: undefined }
}
