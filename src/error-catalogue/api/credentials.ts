import type { ApiErrorEntries } from './entry.js'

/** Errors of tokens, sessions and roles. */
export const CREDENTIALS = {
  unauthorized: {
    status: 401,
    message: '401 Unauthorized',
    remedy: 'Send a valid token, for example in the header `PRIVATE-TOKEN`.',
  },
  token_expired: {
    status: 401,
    key: 'error',
    message: 'invalid_token',
    remedy: 'Create or refresh the token: it has expired or was revoked, as `error_description` says.',
  },
  forbidden: {
    status: 403,
    message: '403 Forbidden',
    remedy: 'Ask for a higher role. The header `X-Required-Role` names it if the role is the reason.',
  },
  insufficient_scope: {
    status: 403,
    key: 'error',
    message: 'insufficient_scope',
    remedy: 'Use a token with one of the scopes that the field `scope` lists.',
  },
  job_token_not_allowed: {
    status: 403,
    message: '403 Forbidden - <reason>',
    remedy: 'A maintainer adds the project of the job to the job token allowlist of this project.',
  },
  account_blocked: {
    status: 403,
    message: '403 Forbidden - Your account has been blocked.',
    remedy: 'Ask an administrator to unblock or activate the account.',
  },
  email_not_confirmed: {
    status: 403,
    message: '403 Forbidden - You have to confirm your e-mail address before you sign in.',
    remedy: 'Open the link in the mail that was sent to the address.',
  },
  terms_not_accepted: {
    status: 403,
    message: '403 Forbidden - You must accept the terms of service first, at /-/users/terms',
    remedy: 'Accept the terms at `/-/users/terms` in a browser.',
  },
  two_factor_required: {
    status: 403,
    message: '403 Forbidden - You must set up two-factor authentication first, at /-/users/two_factor',
    remedy: 'Set it up at `/-/users/two_factor` in a browser. Tokens work without it.',
  },
  second_factor_needed: {
    status: 403,
    message:
      '403 Forbidden - This account has two-factor authentication. Use a personal access token instead of the password.',
    remedy: 'Use a personal access token: programs cannot give a second factor.',
  },
  code_required: {
    status: 403,
    key: 'error',
    message: 'code_required',
    remedy: 'Send the code of the second factor too, in the field `code`.',
  },
  wrong_code: {
    status: 403,
    message: '403 Forbidden - Wrong code',
    remedy:
      'Enter the code that your app shows now, or a recovery code that you have not used. Check the clock of the device.',
  },
  too_many_codes: {
    status: 429,
    message: '429 Too Many Requests - too many wrong codes',
    remedy: 'Wait for the seconds of `Retry-After`, or use a recovery code or a passkey.',
  },
  passkey_refused: {
    status: 403,
    message: '403 Forbidden - The passkey was not accepted',
    remedy: 'Try again. Remove the passkey and register it again if it is still not accepted.',
  },
  too_many_addresses: {
    status: 403,
    message: '403 Forbidden - Too many logins from different IPs',
    remedy: 'Use the account from fewer addresses, or ask an administrator to raise the limit.',
  },
  confirmation_required: {
    status: 403,
    key: 'error',
    message: 'confirmation_required',
    remedy: 'Enter the password again, which confirms the session for 30 minutes.',
  },
  wrong_password: {
    status: 403,
    message: '403 Forbidden - Wrong password',
    remedy: 'Enter the password of your own account.',
  },
  wrong_token: {
    status: 403,
    message: '403 Forbidden - Wrong token',
    remedy: 'Enter a token of your own account with the scope `api`.',
  },
  csrf_token_invalid: {
    status: 403,
    message: '403 Forbidden - the CSRF token is missing or wrong. Reload the page and try again',
    remedy: 'Reload the page. Scripts send a token instead of the cookie of a session.',
  },
  cross_site_request: {
    status: 403,
    message: '403 Forbidden - another site made this request',
    remedy: 'Pages of other sites send a token instead of the cookie of a session.',
  },
  foreign_origin: {
    status: 403,
    message:
      '403 Forbidden - the request comes from a page of <origin>, but the address of this instance is <own>',
    remedy: 'Open the instance at its own address, or correct the setting `external_url`.',
  },
  session_required: {
    status: 403,
    message: '403 Forbidden - Only for browser sessions',
    remedy: 'Sign in with a browser and use the page: a token cannot do this.',
  },
  personal_credential_required: {
    status: 403,
    message: '403 Forbidden - Only for personal access tokens and browser sessions',
    remedy: 'Use a personal access token.',
  },
  sudo_not_admin: {
    status: 403,
    message: '403 Forbidden - Must be admin to use sudo',
    remedy: 'Use the token of an administrator, or leave out `sudo`.',
  },
  sudo_wrong_credential: {
    status: 403,
    message: '403 Forbidden - Must be authenticated using an OAuth or Personal Access Token to use sudo',
    remedy: 'Use a personal access token with the scope `sudo`.',
  },
  sudo_user_not_found: {
    status: 404,
    message: "404 User with ID or username '<who>' Not Found",
    remedy: 'Give the ID or the name of a user in `sudo`.',
  },
  anonymous_user_list: {
    status: 403,
    message: '403 Forbidden - Not authorized to access /api/v4/users',
    remedy: 'Send a token, or name a user with `username`.',
  },
  anonymous_user: {
    status: 403,
    message: '403 Forbidden - Not authorized!',
    remedy: 'Send a token.',
  },
  metrics_address_not_allowed: {
    status: 403,
    message: '403 Forbidden - metrics are for the addresses of the setting metrics.allowed_addresses',
    remedy: 'An administrator adds the address to `metrics.allowed_addresses`.',
  },
} as const satisfies ApiErrorEntries
