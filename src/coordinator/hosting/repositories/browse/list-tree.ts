import { invalidParameters } from '../../../http/errors.js'
import type { Reading } from './reading.js'
import { treeEntries, type TreeEntry } from './tree-entries.js'

export interface TreeOptions {
  treeId: string
  /** Path of the folder with a trailing slash; empty for the root. */
  prefix: string
  isRecursive: boolean
}

/** Folders first, then files, then submodules, each in git's order (API, E5). */
const ORDER: TreeEntry['type'][] = ['tree', 'blob', 'commit']

/** One page of a folder of any size. The tree is read twice instead of being held in memory. */
export async function listTree(
  reading: Reading,
  options: TreeOptions,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: TreeEntry[]; total: number }> {
  const starts = await startsOf(reading, options)
  const rows: TreeEntry[] = []
  await eachInPlace(reading, options, starts, (entry, index) => {
    if (index >= offset && index < offset + limit) rows[index - offset] = entry
  })
  return { rows, total: starts.total }
}

export interface TokenPage {
  rows: TreeEntry[]
  /** Token of the next page; undefined on the last one. */
  next: string | undefined
}

/**
 * The page after the entry that `token` names. Tokens have the form `<id>.<position>`, because one blob may
 * occur at several positions. An ID alone means its first position. Throws 400 for a token that matches no
 * entry.
 */
export async function listTreeAfter(
  reading: Reading,
  options: TreeOptions,
  { token, limit }: { token: string | undefined; limit: number },
): Promise<TokenPage> {
  const starts = await startsOf(reading, options)
  const offset = token === undefined ? 0 : (await positionAfter(reading, options, starts, token)) + 1
  const { rows, total } = await listTree(reading, options, { offset, limit })
  const last = rows.at(-1)
  const hasMore = last !== undefined && offset + rows.length < total
  return { rows, next: hasMore ? `${last.id}.${offset + rows.length - 1}` : undefined }
}

interface Starts {
  of: Record<TreeEntry['type'], number>
  total: number
}

async function positionAfter(
  reading: Reading,
  options: TreeOptions,
  starts: Starts,
  token: string,
): Promise<number> {
  const [id = '', given] = token.split('.')
  let found: number | undefined
  await eachInPlace(reading, options, starts, (entry, index) => {
    if (entry.id !== id) return
    if (given === undefined ? found === undefined || index < found : index === Number(given)) found = index
  })
  if (found === undefined) throw invalidParameters('page_token is invalid')
  return found
}

async function startsOf(reading: Reading, options: TreeOptions): Promise<Starts> {
  const counts = { tree: 0, blob: 0, commit: 0 }
  for await (const { type } of treeEntries(reading, options.treeId, options)) counts[type]++
  const of = { tree: 0, blob: counts.tree, commit: counts.tree + counts.blob }
  return { of, total: of.commit + counts.commit }
}

async function eachInPlace(
  reading: Reading,
  options: TreeOptions,
  { of }: Starts,
  take: (entry: TreeEntry, index: number) => void,
): Promise<void> {
  const next = Object.fromEntries(ORDER.map((type) => [type, of[type]]))
  for await (const entry of treeEntries(reading, options.treeId, options)) {
    const index = next[entry.type] ?? 0
    next[entry.type] = index + 1
    take(entry, index)
  }
}
