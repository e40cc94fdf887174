import { ACCOUNTS } from './api/accounts.js'
import { CI } from './api/ci.js'
import { CREDENTIALS } from './api/credentials.js'
import type { ApiErrorEntry } from './api/entry.js'
import { HOSTING } from './api/hosting.js'
import { INTEGRATIONS } from './api/integrations.js'
import { OAUTH } from './api/oauth.js'
import { PLANNING } from './api/planning.js'
import { REQUESTS } from './api/requests.js'
import { SCIM } from './api/scim.js'
import { fillMessage, type MessageArguments } from './message.js'

/** All errors of the API by their code, which clients find in the header `X-Error-Code`. */
export const API_ERRORS = {
  ...REQUESTS,
  ...CREDENTIALS,
  ...OAUTH,
  ...CI,
  ...HOSTING,
  ...PLANNING,
  ...ACCOUNTS,
  ...SCIM,
  ...INTEGRATIONS,
}

type ApiErrors = typeof API_ERRORS

export type ApiErrorCode = keyof ApiErrors

/** Arguments that begin with the values of the placeholders in the message of an error. */
export type ApiErrorArguments<Code extends ApiErrorCode, Others extends unknown[] = []> = MessageArguments<
  ApiErrors[Code]['message'],
  Others
>

export function apiErrorEntry(code: ApiErrorCode): ApiErrorEntry {
  return API_ERRORS[code]
}

export function apiErrorMessage<Code extends ApiErrorCode>(
  code: Code,
  ...[values]: ApiErrorArguments<Code>
): string {
  return fillMessage(API_ERRORS[code].message, values)
}
