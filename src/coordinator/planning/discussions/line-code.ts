import { createHash } from 'node:crypto'

/** Name of a line of a diff: digest of the path after the change, and both numbers (API, G2). */
export function lineCodeOf(path: string, { oldLine, newLine }: { oldLine: number; newLine: number }): string {
  return `${createHash('sha1').update(path).digest('hex')}_${oldLine}_${newLine}`
}
