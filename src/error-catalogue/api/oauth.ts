import type { ApiErrorEntries } from './entry.js'

/**
 * Errors of OAuth 2.0 and OpenID Connect, whose body contains the code in `error` and the text in `error_description`
 * (RFC 6749, 4.1.2.1 and 5.2; RFC 6750, 3.1; RFC 8628, 3.5; OpenID Connect Core 1.0, 3.1.2.6).
 */
export const OAUTH = {
  invalid_client: {
    status: 401,
    message:
      'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
    remedy: 'Check the ID and the secret of the application.',
  },
  invalid_grant: {
    status: 400,
    message:
      'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
    remedy: 'Begin the sign-in again: a code can be used once and for ten minutes.',
  },
  invalid_request: {
    status: 400,
    message: 'The request is malformed: a parameter is repeated or is not a text.',
    remedy: 'Send each parameter once.',
  },
  invalid_scope: {
    status: 400,
    message: 'The requested scope is invalid, unknown, or malformed.',
    remedy: 'Ask only for scopes that the application has.',
  },
  invalid_token: {
    status: 401,
    message: 'The access token is invalid',
    remedy: 'Refresh the token, or begin the sign-in again.',
  },
  unauthorized_client: {
    status: 400,
    message: 'The client is not authorized to perform this request using this method.',
    remedy: 'Use a grant type that the application may use.',
  },
  unsupported_grant_type: {
    status: 400,
    message: 'The authorization grant type is not supported by the authorization server.',
    remedy: 'Use one of `grant_types_supported` in `/.well-known/openid-configuration`.',
  },
  unsupported_response_type: {
    status: 400,
    message: 'The authorization server does not support this response type.',
    remedy: 'Send `response_type=code`.',
  },
  access_denied: {
    status: 400,
    message: 'The resource owner or authorization server denied the request.',
    remedy: 'Ask the user to authorize the application.',
  },
  authorization_pending: {
    status: 400,
    message: 'The user has not yet decided on the device request.',
    remedy: 'Ask again after the interval of the device request.',
  },
  expired_token: {
    status: 400,
    message: 'The device code has expired. Ask for a new one.',
    remedy: 'Request another device code.',
  },
  consent_required: {
    status: 400,
    message: 'The user has not authorized the application yet, and prompt=none does not ask.',
    remedy: 'Repeat the request without `prompt=none`.',
  },
  interaction_required: {
    status: 400,
    message: 'The user has to accept the terms of service, and prompt=none does not ask.',
    remedy: 'Repeat the request without `prompt=none`.',
  },
  login_required: {
    status: 400,
    message: 'The user is not signed in, or was so too long ago, and prompt=none does not ask.',
    remedy: 'Repeat the request without `prompt=none`.',
  },
  slow_down: {
    status: 400,
    message: 'The device polls too often. It must increase the polling interval by five seconds.',
    remedy: 'Poll five seconds less often.',
  },
} as const satisfies ApiErrorEntries
