import type { Logger } from '../../lib/logger.js'
import { pause, withJitter } from '../../lib/pause.js'
import type { CoordinatorClient } from '../client/coordinator-client.js'
import { CoordinatorAnswerError } from '../client/errors.js'
import { hasToken, type StoredToken, storeToken } from '../config/config-changes.js'
import { changeConfigFile, checkWritable } from '../config/config-file.js'
import type { TokenLifetime } from '../config/read-token-lifetime.js'
import type { RunnerRegistration } from '../config/settings.js'

/** Where a new token is kept, so that the next start finds it. */
interface TokenStore {
  /** Throws when a token could not be saved now. */
  check(): Promise<void>
  save(stored: StoredToken): Promise<void>
}

export interface TokenRotationOptions {
  lifetime: TokenLifetime
  /** Only says when it would be time (`FF_DISABLE_AUTOMATIC_TOKEN_ROTATION`). */
  isDisabled: boolean
  client: Pick<CoordinatorClient, 'resetToken' | 'replaceToken'>
  store: TokenStore
  /** Hears of each new token, as soon as it is in use; it is saved when that is done. */
  onToken: (token: string) => Promise<void>
  logger: Logger
  timings?: { retry: number }
}

/** The part of its life after which a token is replaced (runner protocol, 1.4). */
const SHARE = 0.75
/** Timers of Node hold no more than 24 days, and do not notice that the clock was set. */
const LONGEST_SLEEP = 3_600_000
const RETRY_MILLISECONDS = 60_000

/** Milliseconds since 1970 at which the token is to be replaced. */
export function rotationTime({ obtainedAt, expiresAt }: TokenLifetime, now: number): number {
  const start = obtainedAt?.getTime() ?? now
  return start + SHARE * (expiresAt.getTime() - start)
}

/**
 * Has the token of one runner replaced whenever three quarters of its life are over, until `signal` aborts, the token
 * has no end any more, or the coordinator does not know it. Jobs go on: they have tokens of their own.
 *
 * The old token ends with the answer that brings the new one. So it is seen to first that the new one can be saved; one
 * that could not be saved in the end is used, and saving is tried again until it works. An answer that is lost on its
 * way leaves a runner that has to be registered anew.
 */
export async function rotateToken(options: TokenRotationOptions, signal: AbortSignal): Promise<void> {
  const { logger, timings = { retry: RETRY_MILLISECONDS } } = options
  const isStopped = () => signal.aborted
  let lifetime: TokenLifetime | undefined = options.lifetime
  let earliest = 0
  while (lifetime && !isStopped()) {
    await sleepUntil(Math.max(rotationTime(lifetime, Date.now()), earliest), signal)
    if (isStopped()) return
    if (options.isDisabled) {
      logger.warn({ expires: lifetime.expiresAt }, 'The token should be replaced, but that is switched off')
      return
    }
    const turn = await replaceOnce(options, signal, timings.retry)
    if (turn.kind === 'given-up') return
    if (turn.kind === 'replaced') lifetime = lifetimeOf(turn.stored)
    earliest = Date.now() + withJitter(timings.retry)
  }
}

type Turn = { kind: 'replaced'; stored: StoredToken } | { kind: 'failed' } | { kind: 'given-up' }

async function replaceOnce(options: TokenRotationOptions, signal: AbortSignal, retry: number): Promise<Turn> {
  const { client, store, onToken, logger } = options
  try {
    await store.check()
    const { token, token_expires_at } = await client.resetToken()
    client.replaceToken(token)
    await onToken(token)
    const stored = {
      token,
      obtainedAt: new Date(),
      expiresAt: token_expires_at ? new Date(token_expires_at) : undefined,
    }
    await saveUntilDone(options, stored, signal, retry)
    logger.info({ expires: token_expires_at }, 'The token was replaced')
    return { kind: 'replaced', stored }
  } catch (error) {
    if (error instanceof CoordinatorAnswerError && error.status === 403) {
      logger.error({ err: error }, 'The token cannot be replaced: the coordinator does not know it')
      return { kind: 'given-up' }
    }
    logger.warn({ err: error }, 'The token could not be replaced; it is tried again')
    return { kind: 'failed' }
  }
}

async function saveUntilDone(
  { store, logger }: TokenRotationOptions,
  stored: StoredToken,
  signal: AbortSignal,
  retry: number,
): Promise<void> {
  for (;;) {
    try {
      await store.save(stored)
      return
    } catch (error) {
      logger.error(
        { err: error },
        'The new token could not be saved; without it this runner is lost at its end',
      )
      if (signal.aborted) return
      await pause(retry, signal)
    }
  }
}

function lifetimeOf({ obtainedAt, expiresAt }: StoredToken): TokenLifetime | undefined {
  return expiresAt && { obtainedAt, expiresAt }
}

async function sleepUntil(time: number, signal: AbortSignal): Promise<void> {
  for (let left = time - Date.now(); left > 0 && !signal.aborted; left = time - Date.now()) {
    await pause(Math.min(left, LONGEST_SLEEP), signal)
  }
}

/** Keeps the tokens of one runner in the settings file, each in the place of the one before. */
export function tokenStore(
  file: string,
  { url, token }: Pick<RunnerRegistration, 'url' | 'token'>,
): TokenStore {
  let stored = token
  return {
    check: () => checkWritable(file),
    save: async (next) => {
      await changeConfigFile(file, storeToken(hasToken(url, stored, process.env), next))
      stored = next.token
    },
  }
}
