import { useEffect, useRef, useState } from 'preact/hooks'

import { RequestError } from '../api/client.js'
import { readOnce } from '../api/use-read.js'
import { notifyError } from '../frame/notices.js'

/**
 * Reads a few records in each request, which names them in its address, and shows each response when it is there.
 * @param paths of the requests; each has a list of records
 * @param keyOf the key of a record in the result
 */
export function useInChunks<Row>(
  paths: readonly string[],
  keyOf: (row: Row) => string,
): ReadonlyMap<string, Row> {
  const [known, setKnown] = useState<ReadonlyMap<string, Row>>(new Map())
  const keyNow = useRef(keyOf)
  keyNow.current = keyOf
  const requests = paths.join('\n')
  useEffect(() => {
    let isCurrent = true
    for (const path of requests === '' ? [] : requests.split('\n')) {
      readOnce<Row[]>(path).then(
        (rows) => {
          if (!isCurrent) return
          setKnown(
            (before) => new Map([...before, ...rows.map((row) => [keyNow.current(row), row] as const)]),
          )
        },
        (error: unknown) => {
          if (!(error instanceof RequestError)) throw error
          if (isCurrent) notifyError(error)
        },
      )
    }
    return () => {
      isCurrent = false
    }
  }, [requests])
  return known
}

/** The addresses that read `names` at `path`, `size` of them each. */
export function chunkPaths(
  path: string,
  parameter: string,
  names: readonly string[],
  size: number,
): string[] {
  return Array.from({ length: Math.ceil(names.length / size) }, (_, index) => {
    const chunk = names.slice(index * size, (index + 1) * size)
    return `${path}?${new URLSearchParams(chunk.map((name) => [`${parameter}[]`, name])).toString()}`
  })
}
