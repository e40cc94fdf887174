import { type Reading, records } from '../repositories/browse/reading.js'
import { ChangelogError } from './errors.js'

/** A commit of the range, as much as tells which merge request has brought it. */
export interface RangeCommit {
  id: string
  parents: readonly string[]
}

/** A commit with the trailer that brings it into the changelog. */
export interface TrailedCommit extends RangeCommit {
  title: string
  authorEmail: string
  /** The last value of each trailer, by its key. */
  trailers: Readonly<Record<string, string>>
}

/** Most commits of one changelog. */
const MAX_COMMITS = 15_000

const FORMAT = [
  '%H',
  '%P',
  '%ae',
  '%(trailers:only=true,unfold=true,separator=%x1e,key_value_separator=%x1d)',
  '%B',
].join('%x1f')

/**
 * Commits up to `to` without those up to `from`, the newest first: all of them, and those with the trailer. A commit that
 * a later one of the range reverts is left out of the second list; so the revert of a revert brings it back.
 */
export async function trailedCommits(
  reading: Reading,
  { from, to }: { from: string; to: string },
  trailer: string,
): Promise<{ all: RangeCommit[]; trailed: TrailedCommit[] }> {
  const all: RangeCommit[] = []
  const trailed: TrailedCommit[] = []
  const reverted = new Set<string>()
  const args = ['log', '-z', `--format=${FORMAT}`, `--max-count=${MAX_COMMITS + 1}`, to, `^${from}`]
  for await (const record of records(reading, args)) {
    if (all.length >= MAX_COMMITS) {
      throw new ChangelogError(`The range has more than ${MAX_COMMITS} commits`)
    }
    const { message, ...commit } = parsed(record)
    all.push({ id: commit.id, parents: commit.parents })
    if (reverted.has(commit.id)) continue
    for (const [, sha = ''] of message.matchAll(/This reverts commit ([0-9a-f]{40})/gi)) {
      reverted.add(sha.toLowerCase())
    }
    if (Object.hasOwn(commit.trailers, trailer)) trailed.push(commit)
  }
  return { all, trailed }
}

function parsed(record: string): TrailedCommit & { message: string } {
  const [id = '', parents = '', authorEmail = '', trailers = '', ...rest] = record.split('\x1f')
  const message = rest.join('\x1f')
  return {
    id,
    parents: parents === '' ? [] : parents.split(' '),
    authorEmail,
    trailers: Object.fromEntries(trailers.split('\x1e').flatMap(pairOf)),
    title: message.split('\n', 1)[0] ?? '',
    message,
  }
}

function pairOf(trailer: string): [string, string][] {
  const [key = '', value] = trailer.split('\x1d')
  return value === undefined ? [] : [[key, value.trim()]]
}
