import { ApiError } from '../../http/errors.js'
import type { KeyValue } from './deliveries/hook-secrets.js'

const NAME = /^[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*$/

/** Headers that the HTTP client sets, and users may not. */
const RESERVED = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Throws 422 for an invalid header and for a reserved one. */
export function checkHeaders(headers: KeyValue): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!NAME.test(name) || RESERVED.has(name.toLowerCase()))
      throw refusal(`${name} cannot be a custom header`)
    // oxlint-disable-next-line no-control-regex -- these are what ends a header
    if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value))
      throw refusal(`the value of ${name} contains a control character`)
  }
}

function refusal(problem: string): ApiError {
  return new ApiError('hook_invalid', { message: { custom_headers: [problem] } })
}
