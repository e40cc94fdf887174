import { GitError, unreadableObject } from '../../../../git/errors.js'
import { type Commit, parseCommit } from '../../../../git/parse-commit.js'
import { allRecords, type Reading, records } from './reading.js'

/** Range of commits. It contains only commit IDs, so that git reads no user input as an option. */
export interface Range {
  /** Empty = every branch and tag. */
  include: string[]
  exclude: string[]
  /** Leaves out the commits that both sides of `a...b` share. */
  isSymmetric?: boolean
}

export interface LogOptions {
  path?: string | undefined
  /** Seconds since the epoch, both inclusive. */
  since?: number | undefined
  until?: number | undefined
  isFirstParent?: boolean | undefined
  /** Part of the name or e-mail address of the author. */
  author?: string | undefined
  /** Part of the message; case-insensitive. */
  message?: string | undefined
  /** Each is a part of the message, or of the name or e-mail address of the author, or the start of the ID; case-insensitive. */
  words?: readonly string[] | undefined
  /** Lists no parent before its children. */
  isTopological?: boolean | undefined
}

const MAX_COMMIT_BYTES = 16 * 1024 * 1024

/** A page of the commits of a range, newest first. */
export async function listCommits(
  reading: Reading,
  range: Range,
  options: LogOptions,
  { offset, limit }: { offset: number; limit: number },
): Promise<Commit[]> {
  const { words = [], path } = options
  const commits: Commit[] = []
  let place = 0
  // With a path, git's `--skip` miscounts when it follows renames, so the skipped commits are read and
  // dropped here. If words are searched, git cannot tell which commits are skipped.
  const skipped = path === undefined && words.length === 0 ? offset : 0
  const format = words.length === 0 ? '%H' : WITH_TEXTS
  const args = [
    'log',
    `--format=${format}`,
    '-z',
    `--skip=${skipped}`,
    ...filters(options),
    ...revisions(range),
  ]
  const matches = wordMatcher(words)
  for await (const record of records(reading, [...args, ...pathOf(options)])) {
    if (!matches(record) || place++ < offset - skipped) continue
    commits.push(await commitById(reading, record.slice(0, lengthOfId(record))))
    if (commits.length >= limit) break
  }
  return commits
}

/** ID, name and address of the author, and the message. Git compares words either with the author or with the message. */
const WITH_TEXTS = '%H%n%an <%ae>%n%B'

function lengthOfId(record: string): number {
  const end = record.indexOf('\n')
  return end < 0 ? record.length : end
}

/** The digits of an ID that say more than any word. */
const DIGITS = /^[\da-f]{4,40}$/

function wordMatcher(words: readonly string[]): (record: string) => boolean {
  const wanted = words.map((word) => word.toLowerCase())
  return (record) => {
    const lower = record.toLowerCase()
    const from = lengthOfId(lower)
    return wanted.every((word) => lower.includes(word, from) || (DIGITS.test(word) && lower.startsWith(word)))
  }
}

/** Number of commits from the root up to this one. */
export async function countCommits(reading: Reading, sha: string, isFirstParent: boolean): Promise<number> {
  const args = ['rev-list', '--count', ...(isFirstParent ? ['--first-parent'] : []), sha]
  const [count = '0'] = await allRecords(reading, args, { separator: '\n' })
  return Number(count)
}

/** The last commit up to `sha` that changed the path. */
export async function lastCommitOf(reading: Reading, sha: string, path: string): Promise<string | undefined> {
  const [id] = await allRecords(reading, ['rev-list', '-1', sha, '--', path], { separator: '\n' })
  return id
}

/** Best common ancestor of all commits; undefined if there is none. */
export async function commonAncestor(reading: Reading, ids: string[]): Promise<string | undefined> {
  try {
    const [id] = await allRecords(reading, ['merge-base', '--octopus', ...ids], { separator: '\n' })
    return id
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return undefined
    throw error
  }
}

/** Throws `GitError` if the commit does not exist; `id` must come from git. */
export async function commitById(reading: Reading, id: string): Promise<Commit> {
  const object = await reading.objects.read(id, MAX_COMMIT_BYTES)
  if (object?.type !== 'commit') throw unreadableObject(id)
  return parseCommit(object.id, object.content)
}

function revisions({ include, exclude, isSymmetric }: Range): string[] {
  if (include.length === 0) return ['--branches', '--tags']
  if (isSymmetric) return [include.join('...')]
  return [...include, ...exclude.map((id) => `^${id}`)]
}

function filters({
  since,
  until,
  isFirstParent,
  author,
  isTopological,
  path,
  message,
}: LogOptions): string[] {
  return [
    ...(since === undefined ? [] : [`--max-age=${since}`]),
    ...(until === undefined ? [] : [`--min-age=${until}`]),
    ...(isFirstParent ? ['--first-parent'] : []),
    ...(isTopological ? ['--topo-order'] : []),
    ...(author === undefined ? [] : ['--fixed-strings', `--author=${author}`]),
    ...(message === undefined ? [] : ['--fixed-strings', '--regexp-ignore-case', `--grep=${message}`]),
    ...(path === undefined ? [] : ['--follow']),
  ]
}

function pathOf({ path }: LogOptions): string[] {
  return path === undefined ? [] : ['--', path]
}
