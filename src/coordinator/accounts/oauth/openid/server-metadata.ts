import { IDENTITY_SCOPES, SCOPES } from '../../../http/authentication/scopes.js'
import { RESPONSE_MODES } from '../authorize/send-result.js'
import { GRANT_TYPES } from '../grants/grant-types.js'
import { CLAIMS } from './claims.js'

/** Path of the public keys that verify tokens. */
export const KEYS_PATH = '/oauth/discovery/keys'

const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'none']

/** Claims of ID tokens of jobs and of users (CI language, 3.17; OpenID Connect Core 1.0, 2). */
const TOKEN_CLAIMS = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti', 'auth_time', 'nonce', 'at_hash']

/**
 * Metadata of the authorization server (OpenID Connect Discovery 1.0, 3; RFC 8414, 2; RFC 8628, 4). Services
 * that verify ID tokens of jobs also read the issuer and the URL of the keys here.
 */
export function serverMetadata(issuer: string): Record<string, string | boolean | readonly string[]> {
  const at = (path: string) => `${issuer}${path}`
  return {
    issuer,
    authorization_endpoint: at('/oauth/authorize'),
    device_authorization_endpoint: at('/oauth/authorize_device'),
    token_endpoint: at('/oauth/token'),
    revocation_endpoint: at('/oauth/revoke'),
    introspection_endpoint: at('/oauth/introspect'),
    registration_endpoint: at('/oauth/register'),
    end_session_endpoint: at('/oauth/end_session'),
    userinfo_endpoint: at('/oauth/userinfo'),
    jwks_uri: at(KEYS_PATH),
    scopes_supported: [...IDENTITY_SCOPES, ...SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: RESPONSE_MODES,
    grant_types_supported: GRANT_TYPES,
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    introspection_endpoint_auth_methods_supported: AUTH_METHODS,
    code_challenge_methods_supported: ['S256'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    claim_types_supported: ['normal'],
    claims_supported: [...CLAIMS, ...TOKEN_CLAIMS],
    // The default would be true.
    request_uri_parameter_supported: false,
  }
}
