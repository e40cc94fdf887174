import { useEffect, useState } from 'preact/hooks'

import { RequestError } from '../api/client.js'
import { type ReadFile, readFile } from './read-file.js'

interface FileRead {
  data: ReadFile | undefined
  error: RequestError | null
  refetch: () => void
}

/** Reads the content of a file at a ref. */
export function useFile(project: string, ref: string, path: string): FileRead {
  const [read, setRead] = useState<Omit<FileRead, 'refetch'>>({ data: undefined, error: null })
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    setRead({ data: undefined, error: null })
    readFile(project, ref, path, abort.signal).then(
      (data) => {
        if (!abort.signal.aborted) setRead({ data, error: null })
      },
      (error: unknown) => {
        if (abort.signal.aborted) return
        if (!(error instanceof RequestError)) throw error
        setRead({ data: undefined, error })
      },
    )
    return () => abort.abort()
  }, [project, ref, path, attempt])
  return { ...read, refetch: () => setAttempt(attempt + 1) }
}
