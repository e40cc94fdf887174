import { SwitchyardError } from '../../lib/errors.js'
import { connectionProblem } from '../../lib/network-errors.js'
import { withJitter } from '../../lib/pause.js'

/** No response arrived: there was no connection, it broke, or it timed out. */
export class CoordinatorUnreachableError extends SwitchyardError {
  readonly name = 'CoordinatorUnreachableError'
  readonly code = 'COORDINATOR_UNREACHABLE'

  /** @param proxy the address of the proxy that the request went through, without its password */
  constructor(url: string, options: ErrorOptions & { proxy?: string | undefined }) {
    const through = options.proxy === undefined ? '' : ` through the proxy ${options.proxy}`
    super(
      `The coordinator at ${url} cannot be reached${through}: ${connectionProblem(options.cause)}`,
      options,
    )
  }
}

/** The level for an error of a request that is repeated. A lost coordinator is logged once, not for each request. */
export function failureLevel(error: unknown): 'debug' | 'warn' {
  return error instanceof CoordinatorUnreachableError ? 'debug' : 'warn'
}

/** The coordinator responded, but not as the request requires. */
export class CoordinatorResponseError extends SwitchyardError {
  readonly name = 'CoordinatorResponseError'
  readonly code = 'COORDINATOR_RESPONSE'

  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message)
  }
}

/** The settings are invalid. `problems` and `warnings` hold one sentence each. */
export class SettingsError extends SwitchyardError {
  readonly name = 'SettingsError'
  readonly code = 'INVALID_SETTINGS'

  constructor(
    readonly source: string,
    readonly problems: string[],
    options?: ErrorOptions,
    readonly warnings: string[] = [],
  ) {
    super(`${source}: ${problems.join('; ')}`, options)
  }
}

/** Attempts for one call, including the first (runner protocol, 0.1). */
export const CALL_ATTEMPTS = 5

/** Whether the same call may succeed later (runner protocol, 0.1). */
export function isRetryableStatus(status: number): boolean {
  return [408, 429, 500, 502, 503, 504, 507].includes(status) || status >= 512
}

/**
 * Whether the coordinator can take no request at the moment. It may be restarting: nothing has responded (`undefined`), or
 * a proxy in front of it has. This includes a full disk (507), which lasts until an administrator frees space.
 */
export function isUnavailable(status: number | undefined): boolean {
  return status === undefined || status === 502 || status === 504 || status === 507
}

/** Whether a repeated artifact upload would fail again (runner protocol, 5.1). */
export function isFinalUploadStatus(status: number): boolean {
  return status === 403 || status === 413
}

/** Whether a repeated artifact download would fail again (runner protocol, 5.2). */
export function isFinalDownloadStatus(status: number): boolean {
  return status === 401 || status === 403 || status === 404
}

/** Milliseconds to wait before the next attempt: the server's value, or else 100 ms doubled up to a minute. */
export function retryDelay(headers: Record<string, string | string[] | undefined>, attempt: number): number {
  const reset = Date.parse(String(headers['ratelimit-resettime']))
  if (!Number.isNaN(reset)) return Math.max(0, reset - Date.now())
  const seconds = headers['retry-after']
  if (typeof seconds === 'string' && /^\d+$/.test(seconds)) return Number(seconds) * 1000
  return withJitter(Math.min(100 * 2 ** (attempt - 1), 60_000))
}
