import { SwitchyardError } from '../lib/errors.js'

/** A git command that did not exit with 0. `message` contains the last line of its error output. */
export class GitError extends SwitchyardError {
  readonly name = 'GitError'
  readonly code = 'GIT_FAILED'

  constructor(
    readonly command: string,
    readonly exitCode: number | undefined,
    readonly stderr: string,
    options?: ErrorOptions,
  ) {
    super(`git ${command} failed: ${lastLine(stderr) || `exit code ${exitCode ?? 'unknown'}`}`, options)
  }

  /** A sentence about the damage of the repository, with what to do, if that is why git failed. */
  get damage(): string | undefined {
    return damageIn(this.stderr)
  }
}

const ID = '([0-9a-f]{40,64})'

/** What git prints about an object that it cannot read, with its ID. */
const DAMAGE = [
  `loose object ${ID} `,
  `packed object ${ID} `,
  `unable to unpack ${ID} header`,
  `unable to read (?:tree )?\\(?${ID}`,
  `missing (?:blob )?object '?${ID}`,
  `[Cc]ould not read ${ID}`,
  `cannot read '${ID}'`,
  `invalid object \\d+ ${ID}`,
  `bad (?:tree )?object ${ID}`,
  `not a tree object: ${ID}`,
].map((pattern) => new RegExp(pattern))

const RESTORE =
  'Restore the repository from a backup, or delete the branches that need the object and push them again from a clone'

/** A sentence about the damage of a repository that git reports. Undefined if it reports none. */
function damageIn(messages: string): string | undefined {
  if (messages.includes('not a git repository'))
    return 'The folder of the repository is gone. Restore it from a backup'
  if (/un(?:expected|terminated) line in \S*packed-refs/.test(messages))
    return 'The file packed-refs of the repository, which has its branches and tags, is damaged. Restore it from a backup'
  const ref = /the ref (\S+) has no object ID/.exec(messages)?.[1]
  if (ref !== undefined)
    return `The file of ${ref} in the repository is damaged. Delete the branch or tag, and push it again from a clone`
  const empty = /objects\/(\w\w)\/(\w{38,62}) is empty/.exec(messages)
  const id = empty
    ? `${empty[1]}${empty[2]}`
    : DAMAGE.map((pattern) => pattern.exec(messages)?.[1]).find(Boolean)
  if (id !== undefined) return `The object ${id} of the repository is missing or damaged. ${RESTORE}`
  // Git does not name the tree of a commit.
  return /not a tree object$/m.test(messages)
    ? `The folder of a commit of the repository is missing or damaged. ${RESTORE}`
    : undefined
}

/** Whether git failed because the repository is damaged. */
export function isDamage(error: unknown): error is GitError {
  return error instanceof GitError && error.damage !== undefined
}

/** The result of `found`; undefined if git cannot read it because the repository is damaged. */
export async function unlessDamaged<T>(
  found: Promise<T>,
  onDamage?: (error: GitError) => void,
): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (!(error instanceof GitError) || error.damage === undefined) throw error
    onDamage?.(error)
    return undefined
  }
}

/** Reports an object that another one names, and that cannot be read. */
export function unreadableObject(id: string): GitError {
  return new GitError('cat-file', undefined, `unable to read ${id}`)
}

/** Reports a ref whose file does not name an object. */
export function brokenRef(ref: string): GitError {
  return new GitError('rev-parse', undefined, `the ref ${ref} has no object ID`)
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}

/** An object that was requested as text exceeds the maximum size. */
export class ObjectTooLargeError extends SwitchyardError {
  readonly name = 'ObjectTooLargeError'
  readonly code = 'GIT_OBJECT_TOO_LARGE'

  constructor(
    readonly object: string,
    readonly bytes: number,
    readonly maximum: number,
  ) {
    super(`${object} has ${bytes} bytes; at most ${maximum} are read`)
  }
}

/** Bytes that are not valid pkt-line framing of git. */
export class PktLineError extends SwitchyardError {
  readonly name = 'PktLineError'
  readonly code = 'GIT_PKT_LINE'

  constructor(problem: string) {
    super(`not a git request: ${problem}`)
  }
}

/** Git was stopped because its reader closed the output, or because of a timeout. `cause` tells which. */
export class GitStoppedError extends SwitchyardError {
  readonly name = 'GitStoppedError'
  readonly code = 'GIT_STOPPED'

  constructor(cause: unknown) {
    super('git was stopped before it finished', { cause })
  }
}
