import { GitStoppedError } from '../../../git/errors.js'
import type { ObjectReader } from '../../../git/object-reader.js'
import { gitBytes, gitRecords, type StreamOptions } from '../../../git/stream-git.js'
import { ApiError } from '../../http/errors.js'

/** One request's look into one repository. */
export interface Reading {
  gitDir: string
  objects: ObjectReader
  /** Aborts when nobody waits for the answer any more: git is ended. */
  signal: AbortSignal
}

/** Milliseconds that git may take for an answer which is sent as a whole. */
const MAX_MILLISECONDS = 30_000

type RecordOptions = Omit<StreamOptions, 'signal'> & { separator?: '\0' | '\n' }

/** Paths are names here, never patterns. */
const LITERAL = { GIT_LITERAL_PATHSPECS: '1' }

/** What git prints, piece by piece. Throws 503 when that takes too long, `GitError` when git fails. */
export async function* records(
  { gitDir, signal }: Reading,
  args: string[],
  options: RecordOptions = {},
): AsyncGenerator<string> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_MILLISECONDS)])
  const environment = { ...LITERAL, ...options.environment }
  try {
    yield* gitRecords(['--git-dir', gitDir, ...args], { ...options, environment, signal: limited })
  } catch (error) {
    throw refusalOf(error)
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
export function bytes(
  { gitDir, signal }: Reading,
  args: string[],
  options: Omit<StreamOptions, 'signal'> = {},
): AsyncGenerator<Buffer> {
  const environment = { ...LITERAL, ...options.environment }
  return gitBytes(['--git-dir', gitDir, ...args], { ...options, environment, signal })
}

/** Nobody reads the answer for a caller who is gone; it only must not look like a fault of ours. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof GitStoppedError)) return error
  const isTimeout = error.cause instanceof DOMException && error.cause.name === 'TimeoutError'
  return isTimeout
    ? new ApiError(503, { message: '503 Service Unavailable' }, {}, { cause: error })
    : new ApiError(499, { message: '499 Client Closed Request' }, {}, { cause: error })
}

/** What a full ref holds, be it a commit or a tag object; undefined when it is not there. The name is one of git's. */
export async function objectIdOf(reading: Reading, ref: string): Promise<string | undefined> {
  const [id] = await allRecords(reading, ['for-each-ref', '--format=%(objectname)', ref], { separator: '\n' })
  return id
}
