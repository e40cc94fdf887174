import { ApiError } from '../errors.js'
import type { Method } from '../operation.js'

/** Valid scopes of personal access tokens (API, A2). */
export const SCOPES = [
  'api',
  'read_api',
  'read_user',
  'read_repository',
  'write_repository',
  'create_runner',
  'manage_runner',
  'read_registry',
  'write_registry',
  'admin_mode',
  'ai_features',
  'k8s_proxy',
  'mcp',
  'self_rotate',
  'sudo',
] as const

/** Scopes that users may set for their own tokens through the API (API, A13). */
export const SELF_SERVICE_SCOPES = ['k8s_proxy', 'self_rotate'] as const

/** Valid scopes of project and group tokens, without those for users or the instance. */
export const RESOURCE_SCOPES = [
  'api',
  'read_api',
  'read_repository',
  'write_repository',
  'create_runner',
  'manage_runner',
  'read_registry',
  'write_registry',
  'ai_features',
  'k8s_proxy',
  'mcp',
  'self_rotate',
] as const

/** OpenID Connect scopes, for applications only: they identify the user and permit no operation. */
export const IDENTITY_SCOPES = ['openid', 'profile', 'email'] as const

/** Scope of tokens with which programs may call the operations of tools, and nothing else. */
export const MCP_SCOPE = 'mcp'

/** Scopes that the grant of an application may have if it is limited to projects: all others reach more than projects. */
export const SCOPES_WITHIN_PROJECTS: readonly string[] = [MCP_SCOPE, ...IDENTITY_SCOPES]

/**
 * Scopes of which one suffices: `api` for everything, `read_api` for reads, and those that the operation
 * names.
 */
export function sufficientScopes(method: Method, named: readonly string[] = []): string[] {
  return ['api', ...(method === 'GET' ? ['read_api'] : []), ...named]
}

export function hasOneOf(held: readonly string[], sufficient: readonly string[]): boolean {
  return sufficient.some((scope) => held.includes(scope))
}

export function insufficientScope(sufficient: readonly string[]): ApiError {
  return new ApiError('insufficient_scope', {
    error: 'insufficient_scope',
    error_description: 'The request requires higher privileges than provided by the access token.',
    scope: sufficient.join(' '),
  })
}
