import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { TAG_ALGORITHM, tagOf } from './entity-tag.js'

/** Number of characters above which a list is not serialized in one turn of the event loop: a megabyte takes 5 ms. */
const MAX_IN_ONE_TURN = 1024 ** 2

/** Whether the texts of the rows have more characters than one turn of the event loop should serialize. */
export function isLargeList(body: unknown): body is object[] {
  if (!Array.isArray(body)) return false
  let length = 0
  for (const row of body as unknown[]) {
    if (typeof row !== 'object' || row === null) continue
    for (const value of Object.values(row)) if (typeof value === 'string') length += value.length
    if (length > MAX_IN_ONE_TURN) return true
  }
  return false
}

/** The JSON of a list in pieces, and the ETag of all of it. */
export interface LargeList {
  json: Buffer[]
  tag: string
}

/** Serializes one row after the other, so that others are served in between. The tag is that of `entityTag`. */
export async function serializeInTurns(rows: readonly object[]): Promise<LargeList> {
  const digest = createHash(TAG_ALGORITHM)
  const json: Buffer[] = []
  const add = (text: string) => {
    const piece = Buffer.from(text)
    digest.update(piece)
    json.push(piece)
  }
  for (const [index, row] of rows.entries()) {
    add((index === 0 ? '[' : ',') + JSON.stringify(row))
    await nextTurn()
  }
  add(']')
  return { json, tag: tagOf(digest.digest('hex')) }
}
