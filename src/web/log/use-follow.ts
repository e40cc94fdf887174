import { useEffect, useState } from 'preact/hooks'

import type { RowsHandle } from '../kit/rows.js'

interface FollowOptions {
  rows: { current: RowsHandle | null }
  startsAtEnd: boolean
  isRunning: boolean
  /** Number of rows, without folded ones. */
  count: number
  /** Number of lines. */
  lines: number
  /** Changes whenever the log may have grown. */
  version: number
}

/** Keeps the end of a growing log in sight, until the reader scrolls up. */
export function useFollow({ rows, startsAtEnd, isRunning, count, lines, version }: FollowOptions) {
  const [follows, setFollows] = useState(startsAtEnd)
  const [seenLines, setSeenLines] = useState(0)
  useEffect(() => {
    if (follows) {
      rows.current?.scrollToRow(count, 'bottom')
      setSeenLines(lines)
    }
  }, [rows, follows, lines, count, version])
  const onScroll = (isAtEnd: boolean) => {
    if (isAtEnd !== follows && (isRunning || !isAtEnd)) setFollows(isAtEnd)
    if (isAtEnd) setSeenLines(lines)
  }
  return { follows, setFollows, newLines: lines - seenLines, onScroll }
}
