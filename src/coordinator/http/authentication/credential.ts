import type { IncomingHttpHeaders } from 'node:http'

import type { TokenCookie } from './session-cookie.js'

/** The credential of a request. `bearer` may hold either kind of token; `session` is the cookie of a browser. */
export interface Credential {
  kind: 'personal' | 'bearer' | 'job' | 'session'
  token: string
}

export const JOB_TOKEN_PREFIX = 'glcbt-'
export const PERSONAL_TOKEN_PREFIX = 'glpat-'

/**
 * The first credential of a request, in the order of the credentials (API, A1). The cookie is the last one, because
 * browsers send it unasked. Without `cookie`, cookies do not count.
 */
export function readCredential(
  headers: IncomingHttpHeaders,
  params: Record<string, unknown>,
  cookie?: TokenCookie,
): Credential | undefined {
  return (
    credential('personal', headers['private-token']) ??
    credential('personal', params['private_token']) ??
    credential('bearer', bearerToken(headers.authorization)) ??
    credential('bearer', params['access_token']) ??
    credential('job', headers['job-token']) ??
    credential('job', params['job_token']) ??
    credential('session', cookie?.read(headers))
  )
}

function credential(kind: Credential['kind'], token: unknown): Credential | undefined {
  return typeof token === 'string' && token !== '' ? { kind, token } : undefined
}

function bearerToken(authorization: string | undefined): string | undefined {
  return authorization && /^bearer /i.test(authorization)
    ? authorization.slice('bearer '.length).trim()
    : undefined
}

/** Parameters that carry a credential or the name of another user; links never repeat them. */
export const CREDENTIAL_PARAMETERS = ['private_token', 'access_token', 'job_token', 'token']
