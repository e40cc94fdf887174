import { GitError, unreadableObject } from '../../../../git/errors.js'
import { isObjectId } from '../../../../git/names.js'
import type { ObjectReader } from '../../../../git/object-reader.js'
import { gitBytes, gitRecordBatches, type StreamOptions } from '../../../../git/stream-git.js'
import { refusalOf, slotOf } from '../api-slot.js'

/** Context to read one repository for one request. */
export interface Reading {
  gitDir: string
  objects: ObjectReader
  /** Aborts when the response is no longer needed; git is then stopped. */
  signal: AbortSignal
  /** Additional environment variables of git, for example for other object folders. */
  environment?: Record<string, string>
  /** Waits for a slot to run git for this request; the returned function releases it. */
  acquireSlot: (signal: AbortSignal) => Promise<() => void>
}

/** Time limit of git for a response that is sent as a whole, in milliseconds. */
const MAX_MILLISECONDS = 30_000

type RecordOptions = Omit<StreamOptions, 'signal'> & { separator?: '\0' | '\n' }

const MAX_COMMIT_BYTES = 16 * 1024 * 1024

/** Paths are literal, never patterns. */
const LITERAL = { GIT_LITERAL_PATHSPECS: '1' }

/** Streams the records that git prints. Throws 503 on a timeout, and `GitError` if git fails. */
export async function* records(
  reading: Reading,
  args: string[],
  options: RecordOptions = {},
): AsyncGenerator<string> {
  for await (const batch of recordBatches(reading, args, options)) yield* batch
}

/** As `records`, but gives many records at a time, which for short records takes a tenth of the time. */
export async function* recordBatches(
  reading: Reading,
  args: string[],
  options: RecordOptions = {},
): AsyncGenerator<string[]> {
  const limited = AbortSignal.any([reading.signal, AbortSignal.timeout(MAX_MILLISECONDS)])
  const environment = { ...LITERAL, ...reading.environment, ...options.environment }
  const releaseSlot = await slotOf(reading, limited)
  try {
    yield* gitRecordBatches(['--git-dir', reading.gitDir, ...args], {
      ...options,
      environment,
      signal: limited,
    })
  } catch (error) {
    throw await namedDamage(reading, args, refusalOf(error))
  } finally {
    releaseSlot()
  }
}

/** Git does not say which tree of a commit it could not read: this finds it. */
async function namedDamage(reading: Reading, [command, ...args]: string[], error: unknown): Promise<unknown> {
  const isNameless = error instanceof GitError && /not a tree object$/m.test(error.stderr)
  const sha = args.find((arg) => isObjectId(arg))
  if (command !== 'ls-tree' || !isNameless || sha === undefined) return error
  const object = await reading.objects.read(sha, MAX_COMMIT_BYTES)
  const tree = object?.type === 'commit' ? /^tree (\w+)$/m.exec(object.content.toString('latin1'))?.[1] : sha
  return unreadableObject(tree ?? sha)
}

/** Collects all records, for lists that are short or limited by git. */
export async function allRecords(
  reading: Reading,
  args: string[],
  options: RecordOptions = {},
): Promise<string[]> {
  const all: string[] = []
  for await (const record of records(reading, args, options)) all.push(record)
  return all
}

/** Streams the output of git, of any length and without a time limit. */
export async function* bytes(
  reading: Reading,
  args: string[],
  options: Omit<StreamOptions, 'signal'> = {},
): AsyncGenerator<Buffer> {
  const { gitDir, signal } = reading
  const environment = { ...LITERAL, ...reading.environment, ...options.environment }
  const releaseSlot = await slotOf(reading, signal)
  try {
    yield* gitBytes(['--git-dir', gitDir, ...args], { ...options, environment, signal })
  } finally {
    releaseSlot()
  }
}

/**
 * Object ID of a full ref, which may be a commit or a tag object; undefined if the ref does not exist. The
 * name must come from git.
 */
export async function objectIdOf(reading: Reading, ref: string): Promise<string | undefined> {
  const [id] = await allRecords(reading, ['for-each-ref', '--format=%(objectname)', ref], { separator: '\n' })
  return id
}

/** Whether the repository has any branch or tag. */
export async function hasRefs(reading: Reading): Promise<boolean> {
  const args = ['for-each-ref', '--count=1', '--format=%(refname)', 'refs/heads/', 'refs/tags/']
  return (await allRecords(reading, args, { separator: '\n' })).length > 0
}
