import { RE2JS } from 're2js'

import type { PushRuleRow } from '../../push-rule-store.js'

export interface NewCommit {
  id: string
  authorEmail: string
  committerEmail: string
  /** Whether it has a signature, valid or not. */
  isSigned: boolean
  /** Without spaces at the end of its lines. */
  message: string
  /** Paths of files that it adds, also by a rename; empty unless they were asked for. */
  addedFiles: string[]
  /** IDs of the contents of the files that it changes; empty unless they were asked for. */
  blobs: string[]
}

/** The user who pushes, and the known users. */
export interface RulePeople {
  /** Confirmed addresses of the user who pushes, in lower case; undefined if the coordinator itself commits. */
  pusherEmails: ReadonlySet<string> | undefined
  /** Those of the addresses, in lower case, that belong to a user. */
  knownEmails: (emails: readonly string[]) => Promise<ReadonlySet<string>>
}

/** Number of reasons that a refused push gets; more do not help. */
export const MAX_REASONS = 20

const SHORT_ID = 8

/** Names of files that usually hold keys and passwords. */
const SECRET_FILES = [
  /(^|\/)\.?aws\/credentials$/,
  /(^|\/)(personal|server)_(rsa|dsa|ed25519|ecdsa)$/,
  /(^|\/)id_(rsa|dsa|ed25519|ecdsa)$/,
  /\.(pem|key)$/,
  /(\.|_)history$/,
]

/**
 * Compiled rules of commits. The expressions take linear time. A push may have very many commits, most of which break no
 * rule, by few people: so texts are made only for problems, and each pair of author and committer is checked once.
 */
export class CommitRules {
  private readonly message: RE2JS | undefined
  private readonly negative: RE2JS | undefined
  private readonly email: RE2JS | undefined
  private readonly fileName: RE2JS | undefined
  /** Addresses of authors that were looked up, in lower case, and whether they belong to a user. */
  private readonly known = new Map<string, boolean>()
  /** Addresses of authors and committers that break no rule. */
  private readonly allowed = new Set<string>()

  constructor(private readonly rule: PushRuleRow) {
    // ^ and $ match the start and end of a line in messages.
    this.message = compiled(rule.commit_message_regex, RE2JS.MULTILINE)
    this.negative = compiled(rule.commit_message_negative_regex, RE2JS.MULTILINE)
    this.email = compiled(rule.author_email_regex)
    this.fileName = compiled(rule.file_name_regex)
  }

  /** Why the commits are refused; empty if they are not. */
  async problemsOf(commits: readonly NewCommit[], people: RulePeople): Promise<string[]> {
    if (this.rule.member_check) await this.lookUpAuthors(commits, people)
    const problems: string[] = []
    for (const commit of commits) {
      this.checkMessage(commit, problems)
      if (this.rule.reject_unsigned_commits && !commit.isSigned)
        problems.push(
          `${named(commit.id)}: the commit is not signed, as the push rule reject_unsigned_commits requires.`,
        )
      this.checkPeople(commit, people, problems)
      for (const path of commit.addedFiles) this.checkFile(commit, path, problems)
    }
    return problems
  }

  private async lookUpAuthors(commits: readonly NewCommit[], { knownEmails }: RulePeople): Promise<void> {
    const authors = new Set(commits.map(({ authorEmail }) => authorEmail))
    const emails = [...new Set([...authors].map((author) => author.toLowerCase()))]
    const unseen = emails.filter((email) => !this.known.has(email))
    if (unseen.length === 0) return
    const known = await knownEmails(unseen)
    for (const email of unseen) this.known.set(email, known.has(email))
  }

  private checkMessage({ id, message }: NewCommit, problems: string[]): void {
    const { commit_message_regex: wanted, commit_message_negative_regex: unwanted } = this.rule
    if (this.message && !this.message.test(message))
      problems.push(
        `${named(id)}: the message does not match the push rule commit_message_regex '${wanted ?? ''}'.`,
      )
    if (this.negative?.test(message))
      problems.push(
        `${named(id)}: the message matches the push rule commit_message_negative_regex '${unwanted ?? ''}'.`,
      )
  }

  private checkPeople(commit: NewCommit, people: RulePeople, problems: string[]): void {
    const { authorEmail, committerEmail } = commit
    const pair = `${authorEmail}\0${committerEmail}`
    if (this.allowed.has(pair)) return
    const found = [...this.emailProblems(commit), ...this.userProblems(commit, people)]
    if (found.length === 0) this.allowed.add(pair)
    problems.push(...found.map((problem) => `${named(commit.id)}: ${problem}`))
  }

  private emailProblems({ authorEmail, committerEmail }: NewCommit): string[] {
    const pattern = this.rule.author_email_regex ?? ''
    const of = { author: authorEmail, committer: committerEmail }
    return Object.entries(of)
      .filter(([, email]) => this.email && !this.email.test(email))
      .map(
        ([who, email]) =>
          `the address '${email}' of the ${who} does not match the push rule author_email_regex '${pattern}'.`,
      )
  }

  private userProblems({ authorEmail, committerEmail }: NewCommit, { pusherEmails }: RulePeople): string[] {
    const { member_check: mustBeKnown, commit_committer_check: mustBePusher } = this.rule
    return [
      ...(mustBeKnown && !this.known.get(authorEmail.toLowerCase())
        ? [`the author '${authorEmail}' is no user, as the push rule member_check requires.`]
        : []),
      ...(mustBePusher && pusherEmails && !pusherEmails.has(committerEmail.toLowerCase())
        ? [
            `you cannot push commits of '${committerEmail}' (push rule commit_committer_check). ` +
              'Commit with one of your own confirmed addresses.',
          ]
        : []),
    ]
  }

  private checkFile({ id }: NewCommit, path: string, problems: string[]): void {
    const pattern = this.rule.file_name_regex ?? ''
    if (this.fileName?.test(path))
      problems.push(
        `${named(id)}: the file name '${path}' matches the push rule file_name_regex '${pattern}'.`,
      )
    if (this.rule.prevent_secrets && SECRET_FILES.some((secret) => secret.test(path)))
      problems.push(`${named(id)}: the file '${path}' may contain secrets (push rule prevent_secrets).`)
  }
}

export function sizeProblem(blob: string, size: number, { max_file_size: most }: PushRuleRow): string {
  const megabytes = (size / 1024 / 1024).toFixed(1)
  return (
    `The file of object ${blob.slice(0, SHORT_ID)} has ${megabytes} MB, more than the ${most} MB of the push rule ` +
    'max_file_size. Use Git LFS for large files.'
  )
}

/** Why a new branch is refused; undefined if it is not. The default branch may have any name. */
export function branchNameProblem(
  branch: string,
  { branch_name_regex: pattern }: Pick<PushRuleRow, 'branch_name_regex'>,
): string | undefined {
  return !pattern || compiled(pattern)?.test(branch)
    ? undefined
    : `The branch name '${branch}' does not match the push rule branch_name_regex '${pattern}'.`
}

function compiled(pattern: string | null, flags = 0): RE2JS | undefined {
  return pattern ? RE2JS.compile(pattern, flags) : undefined
}

function named(id: string): string {
  return `Commit ${id.slice(0, SHORT_ID)}`
}
