import { ApiError } from '../../http/errors.js'

/**
 * Error descriptions for clients (RFC 6749, 4.1.2.1 and 5.2; RFC 6750, 3.1; RFC 8628, 3.5; OpenID Connect
 * Core 1.0, 3.1.2.6).
 */
const DESCRIPTIONS = {
  invalid_client:
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  invalid_grant:
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  invalid_request: 'The request is malformed: a parameter is repeated or is not a text.',
  invalid_scope: 'The requested scope is invalid, unknown, or malformed.',
  invalid_token: 'The access token is invalid',
  unauthorized_client: 'The client is not authorized to perform this request using this method.',
  unsupported_grant_type: 'The authorization grant type is not supported by the authorization server.',
  unsupported_response_type: 'The authorization server does not support this response type.',
  access_denied: 'The resource owner or authorization server denied the request.',
  authorization_pending: 'The user has not yet decided on the device request.',
  expired_token: 'The device code has expired. Ask for a new one.',
  consent_required: 'The user has not authorized the application yet, and prompt=none does not ask.',
  interaction_required: 'The user has to accept the terms of service, and prompt=none does not ask.',
  login_required: 'The user is not signed in, or was so too long ago, and prompt=none does not ask.',
  slow_down: 'The device polls too often. It must increase the polling interval by five seconds.',
} as const

export type OauthErrorCode = keyof typeof DESCRIPTIONS

const CHALLENGES: Partial<Record<OauthErrorCode, string>> = {
  invalid_client: 'Basic realm="OAuth"',
  invalid_token: 'Bearer realm="OAuth", error="invalid_token"',
}

/**
 * Status 401 for failed authentication, otherwise 400: `{"error":"invalid_grant","error_description":"…"}`.
 */
export class OauthError extends ApiError {
  constructor(
    readonly error: OauthErrorCode,
    readonly description: string = DESCRIPTIONS[error],
  ) {
    const challenge = CHALLENGES[error]
    const headers = { ...(challenge !== undefined && { 'www-authenticate': challenge }) }
    super(challenge === undefined ? 400 : 401, { error, error_description: description }, headers)
  }
}
