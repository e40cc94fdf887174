import { OAUTH } from '../../../error-catalogue/api/oauth.js'
import { ApiError } from '../../http/errors.js'

export type OauthErrorCode = keyof typeof OAUTH

const CHALLENGES: Partial<Record<OauthErrorCode, string>> = {
  invalid_client: 'Basic realm="OAuth"',
  invalid_token: 'Bearer realm="OAuth", error="invalid_token"',
}

/**
 * An error of OAuth: `{"error":"invalid_grant","error_description":"…"}`.
 */
export class OauthError extends ApiError {
  constructor(
    readonly error: OauthErrorCode,
    readonly description: string = OAUTH[error].message,
  ) {
    const challenge = CHALLENGES[error]
    const headers = { ...(challenge !== undefined && { 'www-authenticate': challenge }) }
    super(error, { error, error_description: description }, headers)
  }
}
