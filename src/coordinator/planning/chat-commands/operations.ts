import { createHash, timingSafeEqual } from 'node:crypto'

import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import type { Project } from '../../access/caller.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { LoginGuard } from '../../http/authentication/login-guard.js'
import { apiError, notFound } from '../../http/errors.js'
import { accessIn, type OperationDeps } from '../../http/handle-operation.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { secretsOf } from '../../integrations/services/integrations.js'
import { slashCommandKind } from '../../integrations/services/kinds.js'
import { findIntegration, type IntegrationRow } from '../../integrations/services/store.js'
import { addChatName, describeRequest, newCode, presentChatNames } from './chat-names.js'
import { type CommandDeps, privately, runCommand } from './run-command.js'
import {
  ChatName,
  ChatNameId,
  ChatNameRequest,
  CommandResponse,
  NewChatName,
  SlashCommand,
} from './schema.js'
import { deleteChatName, findChatName, findOwnChatName, findUser, listChatNames, recordUse } from './store.js'

export interface ChatCommandDeps extends CommandDeps, Pick<OperationDeps, 'findProject' | 'projectAccessOf'> {
  secrets: SecretBox
  /** Limits the guessing of tokens from an address. */
  guardOf: (address: string) => LoginGuard
}

/** Commands that users of chat services give (API, L2), and the users of this instance as whom they give them. */
export function chatCommandOperations(deps: ChatCommandDeps): Operation[] {
  return [...triggerOperations(deps), ...chatNameOperations(deps)]
}

function triggerOperations(deps: ChatCommandDeps): Operation[] {
  return (
    ['POST /projects/:id/services/:slug/trigger', 'POST /projects/:id/integrations/:slug/trigger'] as const
  ).map((route) =>
    operation(route, {
      summary: 'Run a slash command of a chat service',
      access: 'anyone',
      params: SlashCommand,
      responses: { 200: CommandResponse },
      identifies: async ({ id, slug, token }) =>
        (await authenticated(deps, { id: String(id), slug: String(slug), token: String(token) })) !==
        undefined,
      run: ({ params, request }) => trigger(deps, params, request),
    }),
  )
}

/** Throws 404 for a wrong token and whatever it does not belong to, and 429 after too many of them. */
async function trigger(
  deps: ChatCommandDeps,
  given: SlashCommand,
  request: FastifyRequest,
): Promise<CommandResponse> {
  const guard = deps.guardOf(request.ip)
  guard.check()
  const found = await authenticated(deps, given)
  if (!found) {
    await guard.failed()
    throw notFound('Integration')
  }
  const { database } = deps
  const { team_id: teamId, user_id: chatId } = given
  if (!teamId || !chatId) return privately('The chat service does not say who you are.')
  const chatUser = { integrationId: found.integration.id, teamId, chatId }
  const name = await findChatName(database, chatUser)
  const user = name && (await findUser(database, name.user_id))
  if (!name || !user) return askForAccount(deps, await newCode(database, chatUser, given))
  await recordUse(database, name.id)
  const { project } = found
  const caller = { project, user, ...(await accessIn(deps, user, project)) }
  const origin = { userAgent: request.headers['user-agent'], address: request.ip }
  return runCommand(deps, { caller, origin, given })
}

function askForAccount({ externalUrl }: ChatCommandDeps, code: string): CommandResponse {
  return privately(
    'Connect your account first. This link is only for you, and valid for 10 minutes: ' +
      `${externalUrl}/-/user_settings/chat_names?code=${code}`,
  )
}

interface Authenticated {
  project: Project
  integration: IntegrationRow
}

/** The active integration with this token. */
async function authenticated(
  { database, secrets, findProject }: ChatCommandDeps,
  { id, slug, token }: Pick<SlashCommand, 'id' | 'slug' | 'token'>,
): Promise<Authenticated | undefined> {
  const kind = slashCommandKind(slug)
  const project = kind && (await findProject(id))
  const integration = project && (await findIntegration(database, project.id, kind.slug))
  if (!project || !integration?.active) return undefined
  const wanted = secretsOf(secrets, integration)['token']
  const isRight = typeof wanted === 'string' && wanted !== '' && isSameSecret(token, wanted)
  return isRight ? { project, integration } : undefined
}

/** In a time that does not depend on the texts, not even on their lengths. */
function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

function chatNameOperations(deps: ChatCommandDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /user/chat_names', {
      summary: 'List the chat users who give commands as the current user',
      access: 'user',
      responses: { 200: Type.Array(ChatName) },
      paginated: true,
      run: async ({ user, paging }) => {
        const { rows, total } = await listChatNames(database, user.id, paging)
        return page(await presentChatNames(database, rows), total)
      },
    }),
    operation('GET /user/chat_names/request', {
      summary: 'Get the chat user who was shown a code',
      access: 'user',
      params: NewChatName,
      responses: { 200: ChatNameRequest },
      run: ({ user, params }) => describeRequest(deps, user, params.code),
    }),
    operation('POST /user/chat_names', {
      summary: 'Let a chat user give commands as the current user, in a browser session',
      access: 'user',
      params: NewChatName,
      needsConfirmation: true,
      responses: { 201: ChatName },
      run: async ({ user, params, caller }) => {
        // Only the page shows who asks: a request that a user was talked into sending connects nobody.
        if (caller.kind !== 'user' || !caller.session) throw apiError('session_required')
        const [record] = await presentChatNames(database, [await addChatName(database, user.id, params.code)])
        if (!record) throw notFound('Integration')
        return record
      },
    }),
    operation('DELETE /user/chat_names/:chat_name_id', {
      summary: 'Delete a chat user of the current user',
      access: 'user',
      params: ChatNameId,
      responses: { 204: NoBody },
      modifiedAt: async ({ user, params }) =>
        (await findOwnChatName(database, user.id, params.chat_name_id))?.created_at ?? 0,
      run: async ({ user, params }) => {
        const row = await findOwnChatName(database, user.id, params.chat_name_id)
        if (!row) throw notFound()
        await deleteChatName(database, row.id)
        return respond(204)
      },
    }),
  ]
}
