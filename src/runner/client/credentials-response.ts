import { Compile } from 'typebox/compile'

import { NewRunnerToken, RunnerCredentials } from '../../protocol/runner-registration.js'
import { CoordinatorResponseError } from './errors.js'

const credentialsCheck = Compile(RunnerCredentials)
const newTokenCheck = Compile(NewRunnerToken)

export function readCredentials(body: unknown): RunnerCredentials {
  const filled = withExpiry(body)
  if (!credentialsCheck.Check(filled)) {
    throw new CoordinatorResponseError(
      'The coordinator responded without the id and token of the runner',
      200,
    )
  }
  return filled
}

export function readNewToken(body: unknown): NewRunnerToken {
  const filled = withExpiry(body)
  if (!newTokenCheck.Check(filled)) {
    throw new CoordinatorResponseError('The coordinator responded without the new token', 201)
  }
  return filled
}

/** Servers older than token expiry omit this key. */
function withExpiry(body: unknown): unknown {
  return typeof body === 'object' ? { token_expires_at: null, ...body } : body
}
