import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { isRecord } from '../../lib/is-record.js'
import { HOUR } from '../../lib/time-units.js'
import { signUp, signUpRules, type SignUpRules } from '../accounts/users/sign-up.js'
import { refuseOtherOrigins } from '../http/authentication/csrf.js'
import { createSessionReader } from '../http/authentication/read-session.js'
import { BODY_SECONDS, limitBodyTime } from '../http/body-limits/body-time.js'
import { ApiError } from '../http/errors.js'
import { parseParameterBodies } from '../http/parameters/body-parsers.js'
import { subjectOfAddress } from '../http/rate-limits/address-subject.js'
import { Windows } from '../http/rate-limits/windows.js'
import { readBrand } from './brand.js'
import { formField } from './form-field.js'
import { FormTokens } from './form-tokens.js'
import type { SignInRefusal } from './identify.js'
import type { SessionDeps } from './session-deps.js'
import { EXPIRED_FORM, refusingForgery } from './sign-in-routes.js'
import { sendNoSignUpPage, sendSignedUpPage, sendSignUpPage } from './sign-up-page.js'

const BODY_LIMIT = 6 * 1024

/** Forms that an address may send within an hour, also those that are refused: a form tells which usernames are taken. */
export const SIGN_UPS_PER_HOUR = 20

const PATH = '/users/sign_up'

/** The page on which visitors sign up, if the instance lets them. It works without scripts. */
export function signUpRoutes(deps: SessionDeps): (app: FastifyInstance) => void {
  const { database, externalUrl } = deps
  const readSession = createSessionReader(deps)
  const formTokens = new FormTokens(deps.secrets, externalUrl)
  const attempts = new Windows(HOUR)

  return (app) => {
    parseParameterBodies(app, deps.spool)
    limitBodyTime(app, BODY_SECONDS)
    app.get(PATH, async (request, reply) => {
      if (await readSession(request)) return reply.redirect('/', 303)
      const rules = await signUpRules(database)
      return rules ? show(request, reply, rules) : sendNoSignUpPage(reply)
    })
    app.post(PATH, { bodyLimit: BODY_LIMIT }, (request, reply) =>
      refusingForgery(reply, async () => {
        refuseOtherOrigins(request.headers, externalUrl)
        const rules = await signUpRules(database)
        return rules ? receive(request, reply, rules) : sendNoSignUpPage(reply)
      }),
    )
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    rules: SignUpRules,
    refusal?: SignInRefusal,
  ): Promise<FastifyReply> {
    const { name, username, email } = fieldsOf(request.body)
    return sendSignUpPage(reply, {
      host: new URL(externalUrl).host,
      brand: await readBrand(database),
      rules,
      formToken: formTokens.create(request, reply),
      typed: { name, username, email },
      refusal,
    })
  }

  async function receive(
    request: FastifyRequest,
    reply: FastifyReply,
    rules: SignUpRules,
  ): Promise<FastifyReply> {
    const refuse = (refusal: SignInRefusal) => show(request, reply, rules, refusal)
    if (!formTokens.isValid(request)) return refuse({ status: 403, message: EXPIRED_FORM })
    const { observed, resetAt } = attempts.add(subjectOfAddress(request.ip))
    if (observed > SIGN_UPS_PER_HOUR) {
      const retryAfter = Math.ceil((resetAt - Date.now()) / 1000)
      return refuse({ status: 429, message: 'Too many attempts to sign up. Try again later.', retryAfter })
    }
    if (rules.terms !== undefined && formField(request.body, 'accepts_terms') !== '1') {
      return refuse({ status: 400, message: 'Accept the terms of service to sign up.' })
    }
    const fields = fieldsOf(request.body)
    if (fields.name.trim() === '') return refuse({ status: 400, message: "Name can't be blank." })
    try {
      const userId = await signUp(database, rules, fields)
      if (userId !== undefined) await deps.storeAuditEvent(database, eventOf(userId, fields, request))
    } catch (error) {
      const message = problemOf(error)
      if (message === undefined) throw error
      return refuse({ status: 400, message })
    }
    return sendSignedUpPage(reply, rules)
  }
}

function fieldsOf(body: unknown) {
  return {
    name: formField(body, 'name'),
    username: formField(body, 'username'),
    email: formField(body, 'email'),
    password: formField(body, 'password'),
  }
}

/** What is wrong with the fields, as sentences; undefined for other errors. */
function problemOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.status !== 400 || !isRecord(error.body['message']))
    return undefined
  const problems = Object.entries(error.body['message']).map(([field, found]) => {
    const problem = Array.isArray(found) ? String(found[0]) : 'is invalid'
    const text = `${field.charAt(0).toUpperCase()}${field.slice(1)} ${problem}`
    return text.endsWith('.') ? text : `${text}.`
  })
  return problems.join(' ')
}

function eventOf(
  userId: number,
  { name, username }: { name: string; username: string },
  { ip, id }: FastifyRequest,
) {
  return {
    author_id: userId,
    entity_type: 'User' as const,
    entity_id: userId,
    details: {
      custom_message: 'Signed up',
      author_name: name,
      target_id: userId,
      target_type: 'User' as const,
      target_details: username,
      ip_address: ip,
      entity_path: username,
      request_id: id,
    },
  }
}
