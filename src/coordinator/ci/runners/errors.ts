import { ApiError } from '../../http/errors.js'

/** 400 with a bare sentence: `{"message":"Scope contains invalid value"}` (API, A4). */
export function badRequestSentence(sentence: string): ApiError {
  return new ApiError(400, { message: sentence })
}
