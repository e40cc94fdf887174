import type { Logger } from '../../lib/logger.js'
import { pause, withJitter } from '../../lib/pause.js'
import { HOUR, MINUTE } from '../../lib/time-units.js'
import type { CoordinatorClient } from '../client/coordinator-client.js'
import { CoordinatorResponseError } from '../client/errors.js'
import { hasToken, type StoredToken, storeToken } from '../config/config-changes.js'
import { changeConfigFile, checkWritable } from '../config/config-file.js'
import type { TokenLifetime } from '../config/read-token-lifetime.js'
import type { RunnerRegistration } from '../config/settings.js'

/** Stores a new token for the next start. */
interface TokenStore {
  /** Throws if a token could not be stored now. */
  check(): Promise<void>
  save(stored: StoredToken): Promise<void>
}

export interface TokenRotationOptions {
  lifetime: TokenLifetime
  /** If true, only logs when a rotation is due (`FF_DISABLE_AUTOMATIC_TOKEN_ROTATION`). */
  isDisabled: boolean
  client: Pick<CoordinatorClient, 'resetToken' | 'replaceToken'>
  store: TokenStore
  /** Called with each new token as soon as it is in use. The token is stored afterwards. */
  onToken: (token: string) => Promise<void>
  logger: Logger
  timings?: { retry: number }
}

/** The fraction of its lifetime after which a token is replaced (runner protocol, 1.4). */
const SHARE = 0.75
/** Timers of Node.js are limited to 24 days, and do not notice changes of the clock. */
const MAX_SLEEP = HOUR
const RETRY_MILLISECONDS = MINUTE

/** Time at which the token must be replaced, in milliseconds since 1970. */
export function rotationTime({ obtainedAt, expiresAt }: TokenLifetime, now: number): number {
  const start = obtainedAt?.getTime() ?? now
  return start + SHARE * (expiresAt.getTime() - start)
}

/**
 * Replaces the token of one runner each time three quarters of its lifetime have passed. Ends when `signal` aborts,
 * the token does not expire any more, or the coordinator does not know it. Jobs are not affected, because they have
 * their own tokens.
 *
 * The old token becomes invalid when the coordinator sends the new one. Therefore the runner first checks that it
 * can store a token. If storing fails nevertheless, the new token is used, and storing is retried until it
 * succeeds. If the response is lost, the runner must be registered again.
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
      logger.warn({ expires: lifetime.expiresAt }, 'The token should be replaced, but rotation is disabled')
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
    if (error instanceof CoordinatorResponseError && error.status === 403) {
      logger.error({ err: error }, 'The token cannot be replaced: the coordinator does not know it')
      return { kind: 'given-up' }
    }
    logger.warn({ err: error }, 'The token could not be replaced; it will be tried again')
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
        'The new token could not be stored; if it is never stored, this runner must be registered again after it stops',
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
    await pause(Math.min(left, MAX_SLEEP), signal)
  }
}

/** Stores the tokens of one runner in the settings file. Each replaces the previous one. */
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
