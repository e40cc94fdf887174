import { isDamage } from '../../../../git/errors.js'
import type { RefKind } from '../../../../git/names.js'
import { allRecords, type Reading, records } from './reading.js'

/** What the full names of branches and tags begin with. */
export const REF_FOLDERS: Record<RefKind, string> = { branch: 'refs/heads/', tag: 'refs/tags/' }

type RefOrder = 'name' | 'updated' | 'version'

export interface RefListOptions {
  order: RefOrder
  isDescending: boolean
  isWanted: (name: string) => boolean
}

const SORT_KEYS: Record<RefOrder, string> = {
  name: 'refname',
  updated: 'creatordate',
  version: 'version:refname',
}

/**
 * Names of the matching branches or tags, in order. Those whose files have no ID of an object come last, or at their place
 * if the order is that of names.
 */
export async function listRefNames(
  reading: Reading,
  kind: RefKind,
  options: RefListOptions,
): Promise<string[]> {
  try {
    return await namesInOrder(reading, kind, options)
  } catch (error) {
    // A commit that cannot be read has no time.
    if (options.order !== 'updated' || !isDamage(error)) throw error
    return namesInOrder(reading, kind, { ...options, order: 'name', isDescending: false })
  }
}

async function namesInOrder(
  reading: Reading,
  kind: RefKind,
  { order, isDescending, isWanted }: RefListOptions,
): Promise<string[]> {
  const keys = order === 'name' ? ['refname'] : ['refname', SORT_KEYS[order]]
  const sorting = keys.map((key) => `--sort=${isDescending ? '-' : ''}${key}`)
  const args = ['for-each-ref', '--format=%(refname)', ...sorting, REF_FOLDERS[kind]]
  const names: string[] = []
  const add = (ref: string) => {
    const name = ref.slice(REF_FOLDERS[kind].length)
    if (isWanted(name)) names.push(name)
  }
  let broken: string[] = []
  const onWarnings = (stderr: string) => (broken = brokenRefs(stderr))
  for await (const ref of records(reading, args, { separator: '\n', onWarnings })) add(ref)
  if (broken.length === 0) return names
  broken.forEach(add)
  if (order === 'name')
    names.sort((a, b) => (isDescending ? -1 : 1) * Buffer.compare(Buffer.from(a), Buffer.from(b)))
  return names
}

/** Git warns of refs whose files have no ID of an object, and prints only the others. */
function brokenRefs(stderr: string): string[] {
  return [...stderr.matchAll(/^warning: ignoring broken ref (\S+)$/gm)].map(([, ref = '']) => ref)
}

/** Branches that are merged into `sha` and do not point to `sha` itself. */
export async function mergedBranches(reading: Reading, sha: string, names: string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const refs = names.map((name) => REF_FOLDERS.branch + name)
  const format = '--format=%(objectname) %(refname)'
  const args = ['for-each-ref', format, `--merged=${sha}`, ...refs]
  const found = await allRecords(reading, args, { separator: '\n' }).catch((error: unknown) => {
    if (isDamage(error)) return []
    throw error
  })
  const merged = found.map((line) => ({ id: line.slice(0, 40), ref: line.slice(41) }))
  return new Set(merged.filter(({ id }) => id !== sha).map(({ ref }) => ref.slice(REF_FOLDERS.branch.length)))
}

/** All merged branches with their commits. */
export async function allMergedBranches(
  reading: Reading,
  sha: string,
): Promise<{ name: string; sha: string }[]> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', `--merged=${sha}`, REF_FOLDERS.branch]
  const found = await allRecords(reading, args, { separator: '\n' })
  return found.map((line) => ({ sha: line.slice(0, 40), name: line.slice(41 + REF_FOLDERS.branch.length) }))
}

/** Predicate for a search term: part of the name, its start (`^x`) or its end (`x$`), case-insensitive. */
export function nameSearch(search: string | undefined): (name: string) => boolean {
  if (!search) return () => true
  const isStart = search.startsWith('^')
  const isEnd = search.endsWith('$') && search.length > (isStart ? 1 : 0)
  const text = search.slice(isStart ? 1 : 0, isEnd ? -1 : undefined).toLowerCase()
  return (name) => {
    const lower = name.toLowerCase()
    if (isStart && isEnd) return lower === text
    if (isStart) return lower.startsWith(text)
    return isEnd ? lower.endsWith(text) : lower.includes(text)
  }
}
