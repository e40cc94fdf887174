import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { tokenDigest } from '../../../../lib/tokens.js'
import type { User } from '../../../access/caller.js'
import { inTransaction } from '../../../database/transaction.js'
import { addressBefore, type RequestSession } from '../../../http/authentication/read-session.js'
import { BODY_SECONDS, limitBodyTime } from '../../../http/body-limits/body-time.js'
import { parseParameterBodies } from '../../../http/parameters/body-parsers.js'
import { insertGrant } from '../../oauth-grant-store.js'
import { grantEventOf } from '../audit-grant.js'
import { registrantOf } from '../client.js'
import { decideOn, findOpenRequest, nameGrant } from '../device-request-store.js'
import { Given } from '../given.js'
import type { OauthDeps } from '../oauth-deps.js'
import { OauthError } from '../oauth-errors.js'
import { type ProjectLimit, readProjectLimit, storedLimit } from '../project-limit.js'
import { FORGED, isForgery, sessionOfForm, signInTimeOf } from '../session.js'
import { signInAgain } from '../sign-in.js'
import {
  devicePathOf,
  type DeviceRequest,
  sendCodePage,
  sendDecidedPage,
  sendDecisionPage,
} from './device-pages.js'
import { readUserCode } from './user-code.js'

/** Maximum size of a request body, in bytes; all form fields are short. */
const BODY_LIMIT = 64 * 1024
/** Maximum length of a code in a URL, in characters. */
const MAX_CODE_LENGTH = 20

/**
 * The page on which users authorize an application on a device without a browser (RFC 8628, 3.3). It first
 * asks for the code, then for the decision. A URL with the code only fills in the form, because users must
 * check that it is their code. Without a session the form requires username and password, and in a session its CSRF
 * token, so that no other page can submit it for the user.
 */
export function deviceRoutes(deps: OauthDeps): (app: FastifyInstance) => void {
  return (app) => {
    parseParameterBodies(app, deps.spool)
    limitBodyTime(app, BODY_SECONDS)
    app.get('/oauth/device', (request, reply) =>
      respond(reply, () => {
        const brought = new Given(request.query).text('user_code') ?? ''
        return sendCodePage(reply, brought.slice(0, MAX_CODE_LENGTH))
      }),
    )
    app.post('/oauth/device', { bodyLimit: BODY_LIMIT }, (request, reply) =>
      respond(reply, () => handleDeviceForm(deps, request, reply, new Given(request.body))),
    )
  }
}

/** Treats a parameter that is given twice or is not a text as missing. */
async function respond(
  reply: FastifyReply,
  work: () => FastifyReply | Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (isForgery(error)) return sendCodePage(reply, '', { status: 403, message: FORGED })
    if (!(error instanceof OauthError)) throw error
    return sendCodePage(reply, '', { status: 400, message: error.description })
  }
}

async function handleDeviceForm(
  deps: OauthDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  given: Given,
): Promise<FastifyReply> {
  const typed = given.text('user_code') ?? ''
  const device = await findDeviceRequest(deps, request.ip, typed)
  if (!device) return sendUnknown(reply, typed)
  const decision = given.text('decision')
  if (decision === 'deny') return applyDecision(deps, request, reply, device)
  if (decision === undefined) {
    const asking = await deps.readSession(request)
    const before = asking && addressBefore(devicePathOf(device.code), asking)
    if (before !== undefined) return reply.redirect(before, 303)
    return sendDecisionPage(reply, device, { session: asking })
  }
  const session = await sessionOfForm(deps, request, given)
  if (session) return allow(deps, request, reply, { device, given, session, user: session.user })
  const { user, refusal } = await signInAgain(deps, request, given)
  if (refusal) {
    return sendDecisionPage(reply, device, { session: undefined, typed: given.text('projects'), refusal })
  }
  return allow(deps, request, reply, { device, given, session: undefined, user })
}

interface Allowance {
  device: DeviceRequest
  given: Given
  /** Undefined for a user who has just signed in. */
  session: RequestSession | undefined
  user: User
}

/** The user allows the request, for the projects that the form names. */
async function allow(
  deps: OauthDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { device, given, session, user }: Allowance,
): Promise<FastifyReply> {
  const typed = given.text('projects')
  const { scopes } = device
  const { limit, refusal: message } = await readProjectLimit(deps.database, user, { scopes, typed })
  if (!limit) {
    const refusal = { status: 400, message, username: user.username }
    return sendDecisionPage(reply, device, { session, typed, refusal })
  }
  const authTime = session ? signInTimeOf(session) : null
  return applyDecision(deps, request, reply, device, { user, authTime, limit })
}

/** Codes are short, so attempts are rate limited like passwords (RFC 8628, 5.1). */
async function findDeviceRequest(
  { database, guardOf }: OauthDeps,
  address: string,
  typed: string,
): Promise<DeviceRequest | undefined> {
  const guard = guardOf(address)
  guard.check()
  const code = readUserCode(typed)
  const found = code === undefined ? undefined : await findOpenRequest(database, tokenDigest(code))
  if (code === undefined || !found) {
    await guard.failed()
    return undefined
  }
  return { ...found, code, registrant: await registrantOf(database, found.client) }
}

/** Without a user the request is denied. Any user with the code may deny it, since this gives no access. */
async function applyDecision(
  { database, storeAuditEvent }: OauthDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, code, client }: DeviceRequest,
  by?: { user: User; authTime: number | null; limit: ProjectLimit },
): Promise<FastifyReply> {
  const decision = by ? 'allowed' : 'denied'
  const isFirst = await inTransaction(database, async (tx) => {
    if (!(await decideOn(tx, id, decision))) return false
    if (!by) return true
    const { user, authTime: auth_time, limit } = by
    const grant = await insertGrant(tx, {
      application_id: client.id,
      user_id: user.id,
      scopes: JSON.stringify(limit.scopes),
      project_ids: storedLimit(limit),
      auth_time,
      created_at: Date.now(),
    })
    await nameGrant(tx, id, grant.id)
    const from = { address: request.ip, requestId: request.id }
    await storeAuditEvent(tx, grantEventOf({ user, client, ...limit }, from))
    return true
  })
  return isFirst ? sendDecidedPage(reply, decision, client) : sendUnknown(reply, code)
}

function sendUnknown(reply: FastifyReply, typed: string): FastifyReply {
  const message = 'No device is waiting for this code. Check the code, or request a new one on the device.'
  return sendCodePage(reply, typed.slice(0, MAX_CODE_LENGTH), { status: 400, message })
}
