import { hostname } from 'node:os'

import { CoordinatorResponseError } from '../../../runner/client/errors.js'
import type { Table } from '../../../runner/config/table-reader.js'
import { listedRegistration, withClient } from './chosen-registrations.js'
import type { RegisterOptions } from './register-options.js'
import { isCreatedToken, lacksImage, type TokenKind, tokenKindOf } from './registration.js'
import { mergeTables } from './template-config.js'
import type { Ask } from './terminal.js'

/** All input of a registration. */
export interface RegisterPlan {
  options: RegisterOptions
  entry: Table
  token: TokenKind | undefined
}

/**
 * Asks for values that flags, variables and the template do not contain. Asks for tags only if the coordinator
 * accepts them.
 */
export async function askForMissing(plan: RegisterPlan, ask: Ask): Promise<RegisterPlan> {
  const withUrl = await askUrl(plan, ask)
  const withToken = await askToken(withUrl, ask)
  const withName = await askName(withToken, ask)
  return askImage(await askTags(withName, ask), ask)
}

async function askUrl(plan: RegisterPlan, ask: Ask): Promise<RegisterPlan> {
  if (plan.entry['url']) return plan
  const url = await ask({
    text: 'URL of the coordinator, such as https://ci.example.com',
    problemOf: (answer) =>
      /^https?:\/\/[^/]/.test(answer) && URL.canParse(answer)
        ? undefined
        : 'A URL begins with http:// or https://, followed by a host name.',
  })
  return { ...plan, entry: { ...plan.entry, url } }
}

async function askToken(plan: RegisterPlan, ask: Ask): Promise<RegisterPlan> {
  if (plan.token) return plan
  const token = await ask({
    text: 'Token of a created runner (glrt-…), or a registration token',
    problemOf: (answer) => problemOfToken(plan, answer),
  })
  const options = isCreatedToken(token)
    ? { ...plan.options, token }
    : { ...plan.options, registrationToken: token }
  return { ...plan, options, token: tokenKindOf(options) }
}

/**
 * The token of a created runner can be checked without a change. A registration token can only be checked by using
 * it.
 */
async function problemOfToken({ options, entry }: RegisterPlan, token: string): Promise<string | undefined> {
  if (token === '') return 'A token is required.'
  if (/\s/.test(token)) return 'A token has no spaces.'
  if (!isCreatedToken(token)) return undefined
  try {
    await withClient(options.config, { ...listedRegistration(entry), token }, (client) =>
      client.verifyRunner(),
    )
    return undefined
  } catch (error) {
    if (error instanceof CoordinatorResponseError && error.status === 403) {
      return 'The coordinator knows no runner with this token.'
    }
    throw error
  }
}

async function askName(plan: RegisterPlan, ask: Ask): Promise<RegisterPlan> {
  if (plan.entry['name']) return plan
  const name = await ask({ text: 'Name of this runner', fallback: hostname() })
  return { ...plan, entry: { ...plan.entry, name } }
}

async function askTags(plan: RegisterPlan, ask: Ask): Promise<RegisterPlan> {
  if (plan.token?.kind !== 'registration' || plan.options.tagList !== undefined) return plan
  const tagList = await ask({
    text: 'Tags of jobs that it accepts, separated by commas; none for jobs without tags',
  })
  return { ...plan, options: { ...plan.options, tagList } }
}

async function askImage(plan: RegisterPlan, ask: Ask): Promise<RegisterPlan> {
  if (!lacksImage(plan.entry)) return plan
  const image = await ask({
    text: 'Image for jobs that name none, such as alpine:3.20',
    problemOf: (answer) =>
      answer === '' || /\s/.test(answer)
        ? 'The name of an image must not be empty or contain spaces.'
        : undefined,
  })
  return { ...plan, entry: mergeTables(plan.entry, { docker: { image } }) }
}
