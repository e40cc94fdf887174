import { isRecord } from '../../../lib/is-record.js'
import { OauthError } from './oauth-errors.js'

/** Parameters of a request to an OAuth endpoint. */
export class Given {
  private readonly values: Record<string, unknown>

  /** `values`: the parsed query or body. */
  constructor(values: unknown) {
    this.values = isRecord(values) ? values : {}
  }

  /**
   * Undefined if the parameter is absent or empty (RFC 6749, 3.1). Throws if it is given twice or is not a
   * text.
   */
  text(name: string): string | undefined {
    const value = this.values[name]
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value !== 'string' || value.includes('\0')) throw new OauthError('invalid_request')
    return value
  }

  required(name: string): string {
    const value = this.text(name)
    if (value === undefined) throw new OauthError('invalid_request', `Missing required parameter: ${name}.`)
    return value
  }
}
