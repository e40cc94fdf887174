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

/** Who pushes, and who is known. */
export interface RulePeople {
  /** Confirmed addresses of the user who pushes, in lower case; undefined if the coordinator itself commits. */
  pusherEmails: ReadonlySet<string> | undefined
  /** Those of the addresses, in lower case, that belong to a user. */
  knownEmails: (emails: readonly string[]) => Promise<ReadonlySet<string>>
}

/** Number of reasons that a refused push gets; more do not help. */
export const MOST_REASONS = 20

const SHORT_ID = 8

/** Names of files that usually hold keys and passwords. */
const SECRET_FILES = [
  /(^|\/)\.?aws\/credentials$/,
  /(^|\/)(personal|server)_(rsa|dsa|ed25519|ecdsa)$/,
  /(^|\/)id_(rsa|dsa|ed25519|ecdsa)$/,
  /\.(pem|key)$/,
  /(\.|_)history$/,
]

/** Compiled rules of commits. The expressions take linear time. */
export class CommitRules {
  private readonly message: RE2JS | undefined
  private readonly negative: RE2JS | undefined
  private readonly email: RE2JS | undefined
  private readonly fileName: RE2JS | undefined
  private readonly emails = new Map<string, boolean>()
  private readonly lookedUp = new Set<string>()
  private readonly known = new Set<string>()

  constructor(private readonly rule: PushRuleRow) {
    // In messages, ^ and $ stand for the start and end of a line.
    this.message = compiled(rule.commit_message_regex, RE2JS.MULTILINE)
    this.negative = compiled(rule.commit_message_negative_regex, RE2JS.MULTILINE)
    this.email = compiled(rule.author_email_regex)
    this.fileName = compiled(rule.file_name_regex)
  }

  /** Why the commits are refused; empty if they are not. */
  async problemsOf(commits: readonly NewCommit[], people: RulePeople): Promise<string[]> {
    const known = this.rule.member_check ? await this.knownAmong(commits, people) : undefined
    return commits.flatMap((commit) => [
      ...this.messageProblems(commit),
      ...this.signatureProblems(commit),
      ...this.peopleProblems(commit, people, known),
      ...this.fileProblems(commit),
    ])
  }

  /** The addresses that belong to users, of all commits so far. */
  private async knownAmong(
    commits: readonly NewCommit[],
    { knownEmails }: RulePeople,
  ): Promise<ReadonlySet<string>> {
    const emails = new Set(commits.map(({ authorEmail }) => authorEmail.toLowerCase()))
    const unseen = [...emails].filter((email) => !this.lookedUp.has(email))
    if (unseen.length > 0) for (const email of await knownEmails(unseen)) this.known.add(email)
    for (const email of unseen) this.lookedUp.add(email)
    return this.known
  }

  private messageProblems({ id, message }: NewCommit): string[] {
    const { commit_message_regex: wanted, commit_message_negative_regex: unwanted } = this.rule
    const commit = named(id)
    return [
      ...(this.message && !this.message.test(message)
        ? [`${commit}: the message does not match the push rule commit_message_regex '${wanted ?? ''}'.`]
        : []),
      ...(this.negative?.test(message)
        ? [`${commit}: the message matches the push rule commit_message_negative_regex '${unwanted ?? ''}'.`]
        : []),
    ]
  }

  private signatureProblems({ id, isSigned }: NewCommit): string[] {
    return isSigned || !this.rule.reject_unsigned_commits
      ? []
      : [`${named(id)}: the commit is not signed, as the push rule reject_unsigned_commits requires.`]
  }

  private peopleProblems(
    { id, authorEmail, committerEmail }: NewCommit,
    { pusherEmails }: RulePeople,
    known: ReadonlySet<string> | undefined,
  ): string[] {
    const pattern = this.rule.author_email_regex ?? ''
    const problems: string[] = []
    for (const [who, email] of [
      ['author', authorEmail],
      ['committer', committerEmail],
    ] as const) {
      if (!this.isAllowed(email))
        problems.push(
          `${named(id)}: the address '${email}' of the ${who} does not match the push rule author_email_regex '${pattern}'.`,
        )
    }
    if (known && !known.has(authorEmail.toLowerCase()))
      problems.push(
        `${named(id)}: the author '${authorEmail}' is no user, as the push rule member_check requires.`,
      )
    const isChecked = this.rule.commit_committer_check && pusherEmails !== undefined
    if (isChecked && !pusherEmails.has(committerEmail.toLowerCase()))
      problems.push(
        `${named(id)}: you cannot push commits of '${committerEmail}' (push rule commit_committer_check). ` +
          'Commit with one of your own confirmed addresses.',
      )
    return problems
  }

  /** Many commits have the same few addresses. */
  private isAllowed(email: string): boolean {
    const checked = this.emails.get(email)
    if (checked !== undefined) return checked
    const isAllowed = !this.email || this.email.test(email)
    this.emails.set(email, isAllowed)
    return isAllowed
  }

  private fileProblems({ id, addedFiles }: NewCommit): string[] {
    const pattern = this.rule.file_name_regex ?? ''
    return addedFiles.flatMap((path) => [
      ...(this.fileName?.test(path)
        ? [`${named(id)}: the file name '${path}' matches the push rule file_name_regex '${pattern}'.`]
        : []),
      ...(this.rule.prevent_secrets && SECRET_FILES.some((secret) => secret.test(path))
        ? [`${named(id)}: the file '${path}' may contain secrets (push rule prevent_secrets).`]
        : []),
    ])
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
