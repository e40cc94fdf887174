import { SwitchyardError } from '../lib/errors.js'
import type { S3SettingNames } from './s3-settings.js'

/** The store refused a request. Repeating it would not help. */
export class S3RefusedError extends SwitchyardError {
  readonly name = 'S3RefusedError'
  readonly code = 'S3_REFUSED'

  constructor(
    /** Says what to do (`withRemedy`). */
    message: string,
    /** Status of the response. Undefined if the response itself could not be used. */
    readonly status?: number,
    /** Error code of S3, such as `NoSuchBucket`, if the response has one. */
    readonly reason?: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** The store did not respond, or is temporarily unavailable. */
export class S3UnavailableError extends SwitchyardError {
  readonly name = 'S3UnavailableError'
  readonly code = 'S3_UNAVAILABLE'

  constructor(
    /** Says what to do (`withRemedy`). */
    message: string,
    /**
     * Error code of S3, such as `SlowDown`, if the response has one. `NoKey` if it is not the store that did not respond,
     * but the service that issues keys for it.
     */
    readonly reason?: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Reason of the errors of keys that are not issued. */
export const NO_KEY = 'NoKey'

/** Facts about a failed request: the error code of S3, and the status. Both are absent if there was no response. */
export interface S3Failure {
  reason?: string | undefined
  status?: number | undefined
}

/** The message of an error, and what to do about it. */
export function withRemedy(message: string, names: S3SettingNames, failure: S3Failure): string {
  const remedy = remedyOf(names, failure)
  return remedy === undefined ? message : `${message}. ${remedy}`
}

function remedyOf(names: S3SettingNames, { reason, status }: S3Failure): string | undefined {
  if (reason === undefined && status === undefined)
    return `Check ${names.endpoint}, and that the store is running`
  const { byReason, byStatus, ofEncryption } = remediesOf(names)
  // A response to HEAD has a status only.
  if (reason === undefined) return byStatus[status ?? 0]
  if (Object.hasOwn(byReason, reason)) return byReason[reason]
  if (reason.startsWith('KMS.')) return ofEncryption
  const isOfRequest = status === 400 || status === 404
  return isOfRequest ? undefined : byStatus[status ?? 0]
}

function remediesOf({ bucket, key, region, endpoint }: S3SettingNames) {
  const allow = 'Allow the key to list, read, write and delete objects of the bucket'
  const checkKey = `Check ${key}`
  const checkRegion = `Set ${region} to the region of the bucket, and ${endpoint} to its address`
  const wait = 'The store limits requests or is busy. If this stays, raise its limits, or use another store'
  const full = 'The store is full. Add space, raise the quota, or delete files'
  const byReason: Record<string, string> = {
    NoSuchBucket: `The bucket does not exist. Create it, or correct ${bucket}`,
    AccessDenied: allow,
    AllAccessDisabled: allow,
    InvalidAccessKeyId: checkKey,
    SignatureDoesNotMatch: checkKey,
    InvalidToken: checkKey,
    [NO_KEY]:
      `Set ${key}, or give the machine or container a role that may use the bucket. In a container, the metadata ` +
      'service of the machine needs a hop limit of 2',
    ExpiredToken: 'The session token has expired. Use a new one, or a key without a token',
    RequestTimeTooSkewed: 'The clock of this machine is wrong. Set it, best with NTP',
    PermanentRedirect: checkRegion,
    AuthorizationHeaderMalformed: checkRegion,
    IllegalLocationConstraintException: checkRegion,
    SlowDown: wait,
    ServiceUnavailable: wait,
    QuotaExceeded: full,
    XMinioStorageFull: full,
    InvalidObjectState:
      'The object is in an archive. Restore it there, and delete the rule that moves objects into archives',
  }
  const byStatus: Record<number, string> = {
    301: checkRegion,
    307: checkRegion,
    400: `${checkKey}, and that a session token has not expired`,
    401: checkKey,
    403: `${checkKey}, and the clock of this machine. ${allow}`,
    404: `Check ${bucket}`,
    429: wait,
    503: wait,
    507: full,
  }
  return { byReason, byStatus, ofEncryption: 'Allow the key to use the encryption key of the bucket' }
}
