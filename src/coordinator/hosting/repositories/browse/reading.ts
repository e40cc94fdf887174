import type { ObjectReader } from '../../../../git/object-reader.js'
import { gitBytes, gitRecords, type StreamOptions } from '../../../../git/stream-git.js'
import { refusalOf, slotOf } from '../api-slot.js'

/** One request's look into one repository. */
export interface Reading {
  gitDir: string
  objects: ObjectReader
  /** Aborts when nobody waits for the answer any more: git is ended. */
  signal: AbortSignal
  /** More environment for git: where else objects lie, say. */
  environment?: Record<string, string>
  /** Waits until git may run for this request; the answered function ends the slot. */
  acquireSlot: (signal: AbortSignal) => Promise<() => void>
}

/** Milliseconds that git may take for an answer which is sent as a whole. */
const MAX_MILLISECONDS = 30_000

type RecordOptions = Omit<StreamOptions, 'signal'> & { separator?: '\0' | '\n' }

/** Paths are names here, never patterns. */
const LITERAL = { GIT_LITERAL_PATHSPECS: '1' }

/** What git prints, piece by piece. Throws 503 when that takes too long, `GitError` when git fails. */
export async function* records(
  reading: Reading,
  args: string[],
  options: RecordOptions = {},
): AsyncGenerator<string> {
  const limited = AbortSignal.any([reading.signal, AbortSignal.timeout(MAX_MILLISECONDS)])
  const environment = { ...LITERAL, ...reading.environment, ...options.environment }
  const releaseSlot = await slotOf(reading, limited)
  try {
    yield* gitRecords(['--git-dir', reading.gitDir, ...args], { ...options, environment, signal: limited })
  } catch (error) {
    throw refusalOf(error)
  } finally {
    releaseSlot()
  }
}

/** All pieces; for lists that are short, or cut by git itself. */
export async function allRecords(
  reading: Reading,
  args: string[],
  options: RecordOptions = {},
): Promise<string[]> {
  const all: string[] = []
  for await (const record of records(reading, args, options)) all.push(record)
  return all
}

/** Bytes of any number, for as long as somebody takes them. */
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

/** What a full ref holds, be it a commit or a tag object; undefined when it is not there. The name is one of git's. */
export async function objectIdOf(reading: Reading, ref: string): Promise<string | undefined> {
  const [id] = await allRecords(reading, ['for-each-ref', '--format=%(objectname)', ref], { separator: '\n' })
  return id
}

/** False while the repository has neither branches nor tags. */
export async function hasRefs(reading: Reading): Promise<boolean> {
  const args = ['for-each-ref', '--count=1', 'refs/heads/', 'refs/tags/']
  return (await allRecords(reading, args, { separator: '\n' })).length > 0
}
