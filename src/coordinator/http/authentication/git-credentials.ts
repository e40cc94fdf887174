import type { Caller, User } from '../../access/caller.js'
import { ApiError, unauthorized } from '../errors.js'
import type { Authenticator } from './authenticator.js'
import { DEPLOY_TOKEN_PREFIX, type DeployTokenCaller } from './deploy-token.js'
import type { LoginGuard } from './login-guard.js'
import { hasOneOf } from './scopes.js'

/** The caller of a clone, fetch or push. */
export type GitCaller = Caller | DeployTokenCaller | DeployKeyCaller

/** The holder of a deploy key, which only git over SSH accepts. */
export interface DeployKeyCaller {
  kind: 'deploy-key'
  /** The user who added the key; undefined if the account is deleted or not active. */
  user: User | undefined
  /** The projects that have enabled the key. */
  projects: { projectId: number; canPush: boolean }[]
}

/**
 * Authenticates git's basic credentials (API, B). Clients send different user names with a token, so any name
 * is accepted and the token alone identifies the caller. An account's own password requires the username or
 * the primary address of the account. Throws `ApiError` 401 for wrong credentials, 429 for too many wrong
 * ones, and 403 for a blocked account. No header means an anonymous caller.
 */
export async function authenticateGit(
  authenticator: Authenticator,
  authorization: string | undefined,
  findDeployToken?: FindDeployToken,
  guard?: LoginGuard,
): Promise<GitCaller> {
  if (!authorization) return { kind: 'anonymous' }
  try {
    return await callerOf(authenticator, authorization, findDeployToken, guard)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) await guard?.failed()
    throw error
  }
}

type FindDeployToken = (token: string) => Promise<DeployTokenCaller | undefined>

async function callerOf(
  authenticator: Authenticator,
  authorization: string,
  findDeployToken: FindDeployToken | undefined,
  guard: LoginGuard | undefined,
): Promise<GitCaller> {
  const shown = basicCredentials(authorization)
  if (!shown) throw unauthorized()
  const { name, password } = shown
  if (findDeployToken && password.startsWith(DEPLOY_TOKEN_PREFIX)) {
    const caller = await findDeployToken(password)
    if (!caller) throw unauthorized()
    return caller
  }
  const caller = await authenticator.identifyForGit(name, password, guard)
  if (caller.kind === 'user' && !mayPull(caller)) throw unauthorized()
  return caller
}

/** Whether the credential itself allows to clone and fetch; the caller's level in the project is another question. */
export function mayPull(caller: GitCaller): boolean {
  return caller.kind !== 'user' || hasOneOf(caller.scopes, ['api', 'read_repository', 'write_repository'])
}

/** Whether the credential itself allows pushes. Job tokens and anonymous callers may never push. */
export function mayPush(caller: GitCaller): boolean {
  if (caller.kind === 'deploy-key') return true // its level in the project tells whether it may write there
  return caller.kind === 'user' && hasOneOf(caller.scopes, ['api', 'write_repository'])
}

/** The credentials of a header with the scheme `Basic`; undefined for any other one. */
export function basicCredentials(
  authorization: string | undefined,
): { name: string; password: string } | undefined {
  const [scheme, encoded] = authorization?.split(' ', 2) ?? []
  if (scheme?.toLowerCase() !== 'basic' || !encoded) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) }
}
