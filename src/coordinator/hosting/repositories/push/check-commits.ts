import { gitRecords } from '../../../../git/stream-git.js'
import type { PushRuleRow } from '../../push-rule-store.js'
import {
  CommitRules,
  MOST_REASONS,
  type NewCommit,
  type RulePeople,
  sizeProblem,
  unsignedProblem,
} from './commit-rules.js'

/**
 * What git prints about new commits, as records that end with a null byte: in the order of `listingsFor`, each listing
 * followed by the record `end`.
 */
export type CommitRecords = AsyncGenerator<string, void>

/** A listing of new commits; `files` are commits with what they change, which takes git three times as long. */
export type Listing = 'commits' | 'files' | 'headers' | 'sizes'

/** The commits that no branch or tag has yet. */
const NEW = ['--stdin', '--not', '--branches', '--tags']

const LOG = ['log', '-z', '--format=%H%x00%ae%x00%ce%x00%B%x00']

/** Git reads the IDs of the commits from its input. */
const COMMANDS: Record<Listing, string[]> = {
  commits: [...LOG, ...NEW],
  files: [...LOG, '--raw', '--no-abbrev', '--no-renames', '--root', ...NEW],
  headers: ['log', '-z', '--pretty=raw', ...NEW],
  sizes: ['rev-list', '--objects', ...NEW],
}

/** What must be listed to check a rule. */
export function listingsFor(rule: PushRuleRow): Listing[] {
  const ofFiles = rule.prevent_secrets || Boolean(rule.file_name_regex)
  const ofCommits = rule.member_check || rule.commit_committer_check || hasExpression(rule)
  return [
    ...(ofFiles ? (['files'] as const) : ofCommits ? (['commits'] as const) : []),
    ...(rule.reject_unsigned_commits ? (['headers'] as const) : []),
    ...(rule.max_file_size > 0 ? (['sizes'] as const) : []),
  ]
}

function hasExpression(rule: PushRuleRow): boolean {
  const { commit_message_regex, commit_message_negative_regex, author_email_regex } = rule
  return [commit_message_regex, commit_message_negative_regex, author_email_regex].some(Boolean)
}

/** The arguments of git that print a listing. The sizes need `cat-file` behind it. */
export function argumentsOf(listing: Listing): string[] {
  return COMMANDS[listing]
}

export const BATCH_CHECK = ['cat-file', '--batch-check=%(objecttype) %(objectsize) %(objectname)']

/** Reads listings of commits in a repository, as the hook of a push prints them. */
export async function* listNewCommits(
  gitDir: string,
  listings: readonly Listing[],
  ids: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  const input = ids.map((id) => `${id}\n`).join('')
  const run = (args: string[], separator: '\0' | '\n', given: string) =>
    gitRecords(['--git-dir', gitDir, ...args], { input: given, separator, signal })
  for (const listing of listings) {
    if (listing === 'sizes') {
      const objects: string[] = []
      for await (const line of run(argumentsOf(listing), '\n', input)) objects.push(line.slice(0, 40))
      yield* run(BATCH_CHECK, '\n', objects.map((id) => `${id}\n`).join(''))
    } else yield* run(argumentsOf(listing), '\0', input)
    yield 'end'
  }
}

/** Checks listed commits against the rule. Returns why they are refused; empty if they are not. */
export async function problemsOfCommits(
  rule: PushRuleRow,
  records: CommitRecords,
  people: RulePeople,
): Promise<string[]> {
  const problems: string[] = []
  const rules = new CommitRules(rule)
  const checkCommits = async () => {
    for await (const some of inBatches(commitsIn(records))) {
      // The rest is read nevertheless: git waits until somebody has.
      if (problems.length < MOST_REASONS) problems.push(...(await rules.problemsOf(some, people)))
    }
  }
  const checks: Record<Listing, () => Promise<void>> = {
    commits: checkCommits,
    files: checkCommits,
    headers: async () => {
      for await (const header of recordsUntilEnd(records)) {
        const problem = isSigned(header) ? undefined : unsignedProblem(header.slice('commit '.length, 47))
        if (problem) problems.push(problem)
      }
    },
    sizes: async () => {
      for await (const line of recordsUntilEnd(records)) {
        const [type, size = '', id = ''] = line.split(' ')
        const isTooLarge = type === 'blob' && Number(size) > rule.max_file_size * 1024 * 1024
        if (isTooLarge) problems.push(sizeProblem(id, Number(size), rule))
      }
    },
  }
  for (const listing of listingsFor(rule)) await checks[listing]()
  return problems.length <= MOST_REASONS
    ? problems
    : [...problems.slice(0, MOST_REASONS), 'Further commits or files break push rules.']
}

async function* recordsUntilEnd(records: CommitRecords): AsyncGenerator<string> {
  for (;;) {
    const { done, value } = await records.next()
    if (done) throw new Error('The listing of new commits breaks off')
    const record = value
    if (record === 'end') return
    if (record !== '') yield record
  }
}

/** Headers end with the first empty line, and messages are indented. */
function isSigned(header: string): boolean {
  return /\ngpgsig(-sha256)? /.test(header.slice(0, header.indexOf('\n\n')))
}

const FIELDS = 4
const BATCH = 500

async function* commitsIn(records: CommitRecords): AsyncGenerator<NewCommit> {
  let fields: string[] = []
  let commit: NewCommit | undefined
  let isPath = false
  let isAdded = false
  for (;;) {
    const { done, value } = await records.next()
    if (done) throw new Error('The listing of new commits breaks off')
    const record = value
    if (isPath) {
      if (isAdded) commit?.addedFiles.push(record)
      isPath = false
    } else if (fields.length > 0 || /^[0-9a-f]{40}$/.test(record)) {
      fields.push(record)
      if (fields.length < FIELDS) continue
      if (commit) yield commit
      const [id = '', authorEmail = '', committerEmail = '', message = ''] = fields
      commit = { id, authorEmail, committerEmail, message, addedFiles: [] }
      fields = []
    } else if (/^\n?:/.test(record)) {
      isPath = true
      isAdded = record.endsWith(' A')
    } else if (record === 'end') {
      if (commit) yield commit
      return
    }
  }
}

async function* inBatches<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let batch: Item[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
