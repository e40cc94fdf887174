/** What a comparison compares. */
export interface Revisions {
  from: string
  to: string
  /** Whether both are compared as they are; otherwise, the changes since their common ancestor. */
  isStraight: boolean
}

/** Reads `main...feature` and, for a straight comparison, `main..feature`. */
export function splitRevisions(revisions: string): Revisions {
  const match = /^(.*?)(\.\.\.?)(.*)$/.exec(revisions)
  if (!match) return { from: '', to: revisions, isStraight: false }
  const [, from = '', dots, to = ''] = match
  return { from, to, isStraight: dots === '..' }
}

/** The opposite of `splitRevisions`. */
export function joinRevisions({ from, to, isStraight }: Revisions): string {
  return `${from}${isStraight ? '..' : '...'}${to}`
}
