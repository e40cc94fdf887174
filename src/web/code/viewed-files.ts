import { useState } from 'preact/hooks'

const KEY = 'switchyard.viewed-diffs'
const MAX_MARKS = 4000

/** The changed files that the reader has marked as viewed, by the digests of their changes. */
export interface ViewedMarks {
  digests: ReadonlySet<string>
  mark: (digest: string, isViewed: boolean) => void
}

/** Marks that this browser keeps. */
export function useBrowserMarks(): ViewedMarks {
  const [digests, setDigests] = useState(readMarks)
  return {
    digests,
    mark: (digest, isViewed) => {
      const next = withMark(digests, digest, isViewed)
      // The newest marks are the last ones.
      localStorage.setItem(KEY, [...next].slice(-MAX_MARKS).join(' '))
      setDigests(next)
    },
  }
}

export function withMark(digests: Iterable<string>, digest: string, isViewed: boolean): Set<string> {
  const next = new Set(digests)
  if (isViewed) next.add(digest)
  else next.delete(digest)
  return next
}

function readMarks(): ReadonlySet<string> {
  return new Set((localStorage.getItem(KEY) ?? '').split(' ').filter((digest) => digest !== ''))
}
