import { GitError } from '../../../../git/errors.js'
import { type Commit, parseCommit } from '../../../../git/parse-commit.js'
import { allRecords, type Reading, records } from './reading.js'

/** Where to start and what to leave out; ids of commits only, so that nothing a user wrote is read as an option. */
export interface Range {
  /** Empty = every branch and tag. */
  include: string[]
  exclude: string[]
  /** What both sides of `a...b` share is left out. */
  isSymmetric?: boolean
}

export interface LogOptions {
  path?: string | undefined
  /** Seconds since 1970, both inclusive. */
  since?: number | undefined
  until?: number | undefined
  isFirstParent?: boolean | undefined
  /** Part of the author's name or address. */
  author?: string | undefined
  /** Children before their parents, whatever their times. */
  isTopological?: boolean | undefined
}

const MAX_COMMIT_BYTES = 16 * 1024 * 1024

/** Commits of a range, the newest first, by page. */
export async function listCommits(
  reading: Reading,
  range: Range,
  options: LogOptions,
  { offset, limit }: { offset: number; limit: number },
): Promise<Commit[]> {
  const commits: Commit[] = []
  let place = 0
  // Git's own way of leaving commits out does not count those that a renamed file is followed through.
  const skipped = options.path === undefined ? offset : 0
  const args = ['log', '--format=%H', '-z', `--skip=${skipped}`, ...filters(options), ...revisions(range)]
  for await (const id of records(reading, [...args, ...pathOf(options)])) {
    if (place++ < offset - skipped) continue
    commits.push(await commitById(reading, id))
    if (commits.length >= limit) break
  }
  return commits
}

/** How many commits there are from the beginning up to this one. */
export async function countCommits(reading: Reading, sha: string, isFirstParent: boolean): Promise<number> {
  const args = ['rev-list', '--count', ...(isFirstParent ? ['--first-parent'] : []), sha]
  const [count = '0'] = await allRecords(reading, args, { separator: '\n' })
  return Number(count)
}

/** The last commit up to `sha` that changed what lies at the path. */
export async function lastCommitOf(reading: Reading, sha: string, path: string): Promise<string | undefined> {
  const [id] = await allRecords(reading, ['rev-list', '-1', sha, '--', path], { separator: '\n' })
  return id
}

/** The commit that all of them have in their history; undefined when there is none. */
export async function commonAncestor(reading: Reading, ids: string[]): Promise<string | undefined> {
  try {
    const [id] = await allRecords(reading, ['merge-base', '--octopus', ...ids], { separator: '\n' })
    return id
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return undefined
    throw error
  }
}

/** Throws `GitError` for an id that git has just named and that is not there. */
export async function commitById(reading: Reading, id: string): Promise<Commit> {
  const object = await reading.objects.read(id, MAX_COMMIT_BYTES)
  if (object?.type !== 'commit') throw new GitError('cat-file', undefined, `${id} is not a commit`)
  return parseCommit(object.id, object.content)
}

function revisions({ include, exclude, isSymmetric }: Range): string[] {
  if (include.length === 0) return ['--branches', '--tags']
  if (isSymmetric) return [include.join('...')]
  return [...include, ...exclude.map((id) => `^${id}`)]
}

function filters({ since, until, isFirstParent, author, isTopological, path }: LogOptions): string[] {
  return [
    ...(since === undefined ? [] : [`--max-age=${since}`]),
    ...(until === undefined ? [] : [`--min-age=${until}`]),
    ...(isFirstParent ? ['--first-parent'] : []),
    ...(isTopological ? ['--topo-order'] : []),
    ...(author === undefined ? [] : ['--fixed-strings', `--author=${author}`]),
    ...(path === undefined ? [] : ['--follow']),
  ]
}

function pathOf({ path }: LogOptions): string[] {
  return path === undefined ? [] : ['--', path]
}
