import { Compile } from 'typebox/compile'

import { RunnerCredentials } from '../protocol/runner-registration.js'
import { CoordinatorAnswerError } from './errors.js'

const credentialsCheck = Compile(RunnerCredentials)

export function readCredentials(body: unknown): RunnerCredentials {
  // Servers before the expiry of tokens leave the key out.
  const filled = typeof body === 'object' ? { token_expires_at: null, ...body } : body
  if (!credentialsCheck.Check(filled)) {
    throw new CoordinatorAnswerError('The coordinator answered without the id and token of the runner', 200)
  }
  return filled
}
