import type { BlameRange } from '../../../../coordinator/hosting/files/schema.js'

/** A line of a file, with the commit that changed it last. */
export interface BlameLine {
  text: string
  commit: BlameRange['commit']
  /** The first line of those that the commit has changed together. */
  isFirst: boolean
}

export function blameLines(ranges: readonly BlameRange[]): BlameLine[] {
  return ranges.flatMap(({ commit, lines }) =>
    lines.map((text, index) => ({ text, commit, isFirst: index === 0 })),
  )
}
