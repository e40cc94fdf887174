import { PassThrough } from 'node:stream'

import type { PushRuleRow } from '../../push-rule-store.js'
import { CommitRules, MAX_REASONS, type NewCommit, type RulePeople, sizeProblem } from './commit-rules.js'
import {
  listNewCommits,
  listNewObjects,
  needsFiles,
  type NewCommits,
  objectsNamed,
} from './list-new-commits.js'

/** Number of files per write to git. Each write wakes git, which then competes with this process. */
const BLOBS_AT_ONCE = 1000

/**
 * Checks new commits against the rule. Returns why they are refused; empty if they are not. Throws if git does not know
 * the commits.
 */
export async function problemsOfCommits(
  rule: PushRuleRow,
  found: NewCommits,
  people: RulePeople,
): Promise<string[]> {
  const stop = new AbortController()
  const given = { ...found, signal: AbortSignal.any([found.signal, stop.signal]) }
  // Git looks up the sizes of files while it still lists commits.
  const blobs = new PassThrough({ objectMode: true, highWaterMark: Number.MAX_SAFE_INTEGER })
  try {
    const [ofCommits, ofSizes] = await Promise.all([
      checkCommits(rule, listNewCommits(given, needsFiles(rule)), people, blobs),
      rule.max_file_size > 0 ? checkSizes(rule, given, blobs) : [],
    ])
    const problems = [...ofCommits, ...ofSizes]
    return problems.length <= MAX_REASONS
      ? problems
      : [...problems.slice(0, MAX_REASONS), 'Further commits or files break push rules.']
  } finally {
    stop.abort()
  }
}

/** Writes the IDs of the files to `blobs`, and ends it. Stops early if there are too many problems to name. */
async function checkCommits(
  rule: PushRuleRow,
  commits: AsyncIterable<NewCommit[]>,
  people: RulePeople,
  blobs: PassThrough,
): Promise<string[]> {
  const rules = new CommitRules(rule)
  const problems: string[] = []
  let found: string[] = []
  try {
    for await (const some of commits) {
      if (rule.max_file_size > 0) for (const commit of some) found.push(...commit.blobs)
      if (found.length >= BLOBS_AT_ONCE) {
        blobs.write(found)
        found = []
      }
      problems.push(...(await rules.problemsOf(some, people)))
      if (problems.length > MAX_REASONS) break
    }
    blobs.write(found)
  } finally {
    blobs.end()
  }
  return problems
}

/**
 * The changed files of all commits have all new objects, and some old ones, such as a file that was moved. So only if one
 * of them is too large, and if the IDs are not those of commits, git lists precisely which objects are new.
 */
async function checkSizes(
  rule: PushRuleRow,
  found: NewCommits,
  blobs: AsyncIterable<string[]>,
): Promise<string[]> {
  const most = rule.max_file_size * 1024 * 1024
  let mustList = false
  for await (const objects of objectsNamed(found, tipsAndBlobs(found.ids, blobs)))
    mustList ||= objects.some(({ type, size }) => type === 'tree' || size > most)
  if (!mustList) return []
  const problems: string[] = []
  for await (const objects of listNewObjects(found)) {
    const tooLarge = objects.filter(({ type, size }) => type === 'blob' && size > most)
    problems.push(...tooLarge.map(({ id, size }) => sizeProblem(id, size, rule)))
  }
  return problems
}

/** The objects to which the IDs point, if they are IDs of tags, and then the files. */
async function* tipsAndBlobs(
  ids: readonly string[],
  blobs: AsyncIterable<string[]>,
): AsyncGenerator<string[]> {
  yield ids.map((id) => `${id}^{}`)
  yield* blobs
}
