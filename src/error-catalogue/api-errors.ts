import { ACCOUNTS } from './api/accounts.js'
import { CI } from './api/ci.js'
import { CREDENTIALS } from './api/credentials.js'
import type { ApiErrorEntry } from './api/entry.js'
import { HOSTING } from './api/hosting.js'
import { INTEGRATIONS } from './api/integrations.js'
import { OAUTH } from './api/oauth.js'
import { PLANNING } from './api/planning.js'
import { REQUESTS } from './api/requests.js'

/** All errors of the API by their code, which clients find in the header `X-Error-Code`. */
export const API_ERRORS = {
  ...REQUESTS,
  ...CREDENTIALS,
  ...OAUTH,
  ...CI,
  ...HOSTING,
  ...PLANNING,
  ...ACCOUNTS,
  ...INTEGRATIONS,
}

type ApiErrors = typeof API_ERRORS

export type ApiErrorCode = keyof ApiErrors

/** The names between `<` and `>` in a message. */
type Placeholder<Message> = Message extends `${string}<${infer Name}>${infer Rest}`
  ? Name | Placeholder<Rest>
  : never

/** Values of the placeholders in the message of an error. */
type Values<Code extends ApiErrorCode> = Record<Placeholder<ApiErrors[Code]['message']>, string | number>

/** Arguments that begin with these values, which errors without placeholders do not need. */
export type ApiErrorArguments<Code extends ApiErrorCode, Others extends unknown[] = []> = [
  keyof Values<Code>,
] extends [never]
  ? [values?: Record<string, never>, ...others: Others]
  : [values: Values<Code>, ...others: Others]

export function apiErrorEntry(code: ApiErrorCode): ApiErrorEntry {
  return API_ERRORS[code]
}

export function apiErrorMessage<Code extends ApiErrorCode>(
  code: Code,
  ...[values = {}]: ApiErrorArguments<Code>
): string {
  const texts: Readonly<Record<string, string | number>> = values
  return API_ERRORS[code].message.replace(/<([\w ]+)>/g, (_placeholder, name: string) => String(texts[name]))
}
