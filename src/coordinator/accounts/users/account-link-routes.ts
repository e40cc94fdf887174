import type { FastifyInstance, FastifyReply } from 'fastify'

import { isRecord } from '../../../lib/is-record.js'
import type { Database } from '../../database/connect.js'
import type { AuditEvent } from '../../database/tables/audit-events.js'
import { BODY_SECONDS, limitBodyTime } from '../../http/body-limits/body-time.js'
import { ApiError } from '../../http/errors.js'
import { type Markup, markup, sendPage } from '../../http/html-page.js'
import { parseParameterBodies } from '../../http/parameters/body-parsers.js'
import type { UploadSpool } from '../../http/parameters/upload-spool.js'
import type { RateLimits } from '../../http/rate-limits/rate-limits.js'
import { mailContext } from '../../integrations/mail/mail-context.js'
import {
  confirmAddress,
  requestConfirmation,
  requestPasswordLink,
  setPasswordByLink,
  userOfPasswordLink,
} from './account-links.js'

/** Maximum size of a request body, in bytes; all form fields are short. */
const BODY_LIMIT = 64 * 1024
/** Longest field, in characters. */
const MAX_FIELD_LENGTH = 300

export interface AccountLinkDeps {
  database: Database
  spool: UploadSpool
  rateLimits: RateLimits
  storeAuditEvent: (database: Database, event: AuditEvent) => Promise<void>
}

/**
 * The pages behind the links of mails: to confirm an address, and to choose a password. GET changes nothing, because
 * programs that check mails follow links.
 */
export function accountLinkRoutes(deps: AccountLinkDeps): (app: FastifyInstance) => void {
  return (app) => {
    parseParameterBodies(app, deps.spool)
    limitBodyTime(app, BODY_SECONDS)
    confirmationRoutes(app, deps)
    resendRoutes(app, deps)
    resetRoutes(app, deps)
    passwordRoutes(app, deps)
  }
}

function confirmationRoutes(app: FastifyInstance, { database, rateLimits }: AccountLinkDeps): void {
  const path = '/users/confirmation'
  app.get(path, (request, reply) => {
    const token = field(request.query, 'confirmation_token')
    if (token === '') return sendUnknown(reply)
    const body = form('confirmation', hidden('confirmation_token', token), 'Confirm')
    return sendForm(reply, 200, { title: 'Confirm your e-mail address', body })
  })
  app.post(path, { bodyLimit: BODY_LIMIT }, async (request, reply) => {
    rateLimits.checkFailures(request.ip)
    const result = await confirmAddress(database, field(request.body, 'confirmation_token'))
    if (result.outcome === 'confirmed') {
      return sendPage(reply, 200, {
        title: 'Your address is confirmed',
        body: markup`<p>${result.email} is confirmed. You can close this page.</p>`,
      })
    }
    if (result.outcome === 'taken') {
      const body = markup`<p>Remove it from the other account first, then ask for another mail.</p>`
      return sendPage(reply, 409, { title: 'Another account has this address', body })
    }
    await rateLimits.recordFailure(request.ip)
    return sendUnknown(reply)
  })
}

function resendRoutes(app: FastifyInstance, { database, rateLimits }: AccountLinkDeps): void {
  const path = '/users/confirmation/new'
  app.get(path, (_request, reply) => {
    if (!mailContext(database)) return sendNoMail(reply)
    const body = form(
      'new',
      markup`<p>You get another mail with a link that confirms it.</p>
<label>E-mail address of your account
<input name="email" type="email" autocomplete="email" required autofocus></label>`,
      'Send the mail',
    )
    return sendForm(reply, 200, { title: 'Confirm your e-mail address', body })
  })
  app.post(path, { bodyLimit: BODY_LIMIT }, async (request, reply) => {
    if (!mailContext(database)) return sendNoMail(reply)
    // Each address may ask as often as it may send wrong passwords.
    await rateLimits.recordFailure(request.ip)
    await requestConfirmation(database, field(request.body, 'email'))
    const body = markup`<p>If an account with this address waits for its confirmation, a mail with a link is on its way.</p>`
    return sendPage(reply, 200, { title: 'Look into your mailbox', body })
  })
}

function resetRoutes(app: FastifyInstance, { database, rateLimits }: AccountLinkDeps): void {
  app.get('/users/password/new', (_request, reply) => {
    if (!mailContext(database)) return sendNoMail(reply)
    const body = form(
      '../password',
      markup`<p>You get a mail with a link to choose another one.</p>
<label>E-mail address of your account
<input name="email" type="email" autocomplete="email" required autofocus></label>`,
      'Send the mail',
    )
    return sendForm(reply, 200, { title: 'Reset your password', body })
  })
  app.post('/users/password', { bodyLimit: BODY_LIMIT }, async (request, reply) => {
    if (!mailContext(database)) return sendNoMail(reply)
    // Each address may ask as often as it may send wrong passwords.
    await rateLimits.recordFailure(request.ip)
    await requestPasswordLink(database, field(request.body, 'email'))
    const body = markup`<p>If an account has this address, a mail with a link is on its way.</p>`
    return sendPage(reply, 200, { title: 'Look into your mailbox', body })
  })
}

function passwordRoutes(app: FastifyInstance, deps: AccountLinkDeps): void {
  const { database, rateLimits, storeAuditEvent } = deps
  const path = '/users/password/edit'
  app.get(path, async (request, reply) => {
    const token = field(request.query, 'reset_password_token')
    const user = await userOfPasswordLink(database, token)
    return user ? sendPasswordForm(reply, token, user.username) : sendUnknown(reply)
  })
  app.post(path, { bodyLimit: BODY_LIMIT }, async (request, reply) => {
    rateLimits.checkFailures(request.ip)
    const token = field(request.body, 'reset_password_token')
    const user = await userOfPasswordLink(database, token)
    if (!user) {
      await rateLimits.recordFailure(request.ip)
      return sendUnknown(reply)
    }
    const password = field(request.body, 'password')
    if (password !== field(request.body, 'password_confirmation')) {
      return sendPasswordForm(reply, token, user.username, 'The two passwords differ.')
    }
    try {
      const isSet = await setPasswordByLink(
        database,
        { token, password, address: request.ip },
        storeAuditEvent,
      )
      if (!isSet) return await sendUnknown(reply)
    } catch (error) {
      const problem = problemOfPassword(error)
      if (problem === undefined) throw error
      return sendPasswordForm(reply, token, user.username, `The password ${problem}.`)
    }
    const body = markup`<p>Sign in as <b>${user.username}</b> with the new password.</p>`
    return sendPage(reply, 200, { title: 'Your password is set', body })
  })
}

/** What is wrong with a password, as the rules of accounts say; undefined for other errors. */
function problemOfPassword(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || !isRecord(error.body['message'])) return undefined
  const problems = error.body['message']['password']
  return Array.isArray(problems) ? String(problems[0]) : undefined
}

function sendPasswordForm(
  reply: FastifyReply,
  token: string,
  username: string,
  alert?: string,
): FastifyReply {
  const fields = markup`${hidden('reset_password_token', token)}
<input type="hidden" name="username" autocomplete="username" value="${username}">
<label>New password
<input name="password" type="password" autocomplete="new-password" minlength="8" maxlength="128" required></label>
<label>Confirm new password
<input name="password_confirmation" type="password" autocomplete="new-password" required></label>`
  return sendForm(reply, alert === undefined ? 200 : 400, {
    title: `Choose a password for ${username}`,
    ...(alert !== undefined && { alert }),
    body: form('edit', fields, 'Set the password'),
  })
}

function form(action: string, fields: Markup, button: string): Markup {
  return markup`<form method="post" action="${action}">
${fields}
<div class="buttons"><button class="main">${button}</button></div>
</form>`
}

function hidden(name: string, value: string): Markup {
  return markup`<input type="hidden" name="${name}" value="${value}">`
}

function sendForm(
  reply: FastifyReply,
  status: number,
  page: { title: string; alert?: string; body: Markup },
): FastifyReply {
  return sendPage(reply, status, { ...page, formActions: ["'self'"] })
}

function sendUnknown(reply: FastifyReply): FastifyReply {
  const body = markup`<p>The link has been used or has expired, or it is not complete.
Ask for another mail: to <a href="/users/confirmation/new">confirm your address</a>, or to
<a href="/users/password/new">choose another password</a>.</p>`
  return sendPage(reply, 404, { title: 'This link leads nowhere', body })
}

function sendNoMail(reply: FastifyReply): FastifyReply {
  const body = markup`<p>This instance sends no mails. An administrator can set a password for you.</p>`
  return sendPage(reply, 404, { title: 'Ask an administrator', body })
}

/** A parameter that is given twice, or is not text, counts as absent. */
function field(values: unknown, name: string): string {
  const value = isRecord(values) ? values[name] : undefined
  return typeof value === 'string' && value.length <= MAX_FIELD_LENGTH && !value.includes('\0') ? value : ''
}
