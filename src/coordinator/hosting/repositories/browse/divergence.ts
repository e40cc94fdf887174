import { commonAncestor } from './commit-log.js'
import { type Reading, records } from './reading.js'

/** Numbers of commits that only one of two branches has. */
export interface Divergence {
  ahead: number
  behind: number
}

/** If the branches have gone further apart, they are not counted, in commits of all of them together. */
const MAX_COMMITS = 50_000

/**
 * Counts the commits that each tip is ahead of and behind a base, with two git processes for all of them. Undefined if
 * there are too many commits to count.
 * @param base SHA of a commit
 * @param tips SHAs of at most 100 commits
 */
export async function divergences(
  reading: Reading,
  base: string,
  tips: readonly string[],
): Promise<Map<string, Divergence> | undefined> {
  const others = [...new Set(tips)].filter((tip) => tip !== base)
  if (others.length === 0) return new Map(tips.map((tip) => [tip, { ahead: 0, behind: 0 }]))
  // What all have in common makes no difference.
  const common = await commonAncestor(reading, [base, ...others])
  const parents = await parentsOf(reading, [base, ...others], common)
  if (!parents) return undefined
  const ofBase = reachable(parents, base)
  return new Map(
    tips.map((tip) => {
      const ofTip = reachable(parents, tip)
      const shared = [...ofTip].filter((commit) => ofBase.has(commit)).length
      return [tip, { ahead: ofTip.size - shared, behind: ofBase.size - shared }]
    }),
  )
}

/** The parents of each commit that a tip has and `common` has not. Undefined if there are too many. */
async function parentsOf(
  reading: Reading,
  tips: readonly string[],
  common: string | undefined,
): Promise<Map<string, readonly string[]> | undefined> {
  const parents = new Map<string, readonly string[]>()
  const args = [
    'rev-list',
    '--parents',
    `--max-count=${MAX_COMMITS + 1}`,
    ...tips,
    ...(common === undefined ? [] : [`^${common}`]),
  ]
  for await (const line of records(reading, args, { separator: '\n' })) {
    const [commit = '', ...its] = line.split(' ')
    parents.set(commit, its)
  }
  return parents.size > MAX_COMMITS ? undefined : parents
}

function reachable(parents: ReadonlyMap<string, readonly string[]>, tip: string): Set<string> {
  const found = new Set<string>(parents.has(tip) ? [tip] : [])
  for (const commit of found) {
    for (const parent of parents.get(commit) ?? []) if (parents.has(parent)) found.add(parent)
  }
  return found
}
