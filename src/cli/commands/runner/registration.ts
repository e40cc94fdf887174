import type { Registration } from '../../../runner/client/coordinator-client.js'
import type { Table } from '../../../runner/config/table-reader.js'
import { CommandError } from './action.js'
import { splitList } from './flag-values.js'
import { type RegisterOptions, serverSideFlags } from './register-options.js'

/** Distinguishes a runner that a user created from one that is yet to be created (runner protocol, 1.1). */
const CREATED_PREFIX = 'glrt-'

/** The two ways to add a runner to the settings. */
export type TokenKind = { kind: 'created'; token: string } | { kind: 'registration'; token: string }

/**
 * Undefined if no token was given. Throws for flags that the kind of token does not allow (runner protocol, 1.6).
 */
export function tokenKindOf(options: RegisterOptions): TokenKind | undefined {
  const { token, registrationToken } = options
  if (token && registrationToken) {
    throw new CommandError(['Give --token or --registration-token, not both'])
  }
  if (token) {
    refuseServerSide(options)
    return { kind: 'created', token }
  }
  if (!registrationToken) return undefined
  return { kind: isCreatedToken(registrationToken) ? 'created' : 'registration', token: registrationToken }
}

export function isCreatedToken(token: string): boolean {
  return token.startsWith(CREATED_PREFIX)
}

/**
 * Flags without effect. With the token of a created runner in place of a registration token, they are not an error.
 */
export function ignoredFlags(options: RegisterOptions, { kind }: TokenKind): string[] {
  return kind === 'created' ? serverSideFlags(options) : []
}

/** The data that the coordinator needs to create a runner. */
export function registrationOf(options: RegisterOptions, token: string, name: string): Registration {
  const tags = splitList(options.tagList ?? '')
  return {
    token,
    description: name,
    ...(tags.length > 0 ? { tag_list: tags.join(',') } : {}),
    run_untagged: options.runUntagged ?? tags.length === 0,
    locked: options.locked ?? true,
    paused: options.paused ?? false,
    ...(options.accessLevel ? { access_level: options.accessLevel } : {}),
    ...(options.maximumTimeout ? { maximum_timeout: options.maximumTimeout } : {}),
    ...(options.maintenanceNote ? { maintenance_note: options.maintenanceNote } : {}),
  }
}

/** The missing values of a registration, by flag and variable. */
export function missingIn(entry: Table, token: TokenKind | undefined): string[] {
  const missing: string[] = []
  if (!entry['url']) missing.push('--url (CI_SERVER_URL)')
  if (!token) missing.push('--token (CI_SERVER_TOKEN) or --registration-token (REGISTRATION_TOKEN)')
  if (lacksImage(entry)) missing.push('--docker-image (DOCKER_IMAGE)')
  return missing
}

/** Whether the image for jobs that name none is missing. In a cluster, such jobs may fail instead. */
export function lacksImage({ executor, docker }: Table): boolean {
  if (executor === 'kubernetes') return false
  return typeof docker !== 'object' || docker === null || !('image' in docker)
}

function refuseServerSide(options: RegisterOptions): void {
  const given = serverSideFlags(options)
  if (given.length === 0) return
  throw new CommandError([
    ...given.map((flag) => `${flag} is stored by the coordinator and cannot be given with --token`),
    'Set it where the runner was created, in its settings at the coordinator, or register with --registration-token',
  ])
}
