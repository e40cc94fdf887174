import { expect } from 'vitest'

import { listCiOperations } from '../../../../src/coordinator/start/operations/ci.js'
import type { OpenDatabase } from '../../../support/databases.js'
import { type Body, openScene, serviceSceneForFile } from '../../integrations/services/scene.js'
import { callAs, openBrowser } from '../../support/browser.js'
import { addPerson, type Person } from '../../support/test-app.js'

export const TOKEN = 'chat-token-of-the-project'

interface ChatResponse {
  response_type: string
  text: string
}

/** A project with a chat, whose users give it commands. */
export async function openChat(open?: OpenDatabase, settings: object = {}) {
  return withChat(await openScene(open, { settings, operations: listCiOperations }))
}

/** Opens the server once for all tests of a file. Each gets an empty store, and a project that no other test has had. */
export function chatForFile() {
  const openProject = serviceSceneForFile({ operations: listCiOperations })
  return async (open?: OpenDatabase) => withChat(await openProject(open))
}

async function withChat(scene: Awaited<ReturnType<typeof openScene>>) {
  const { app, ok, P, services } = scene
  await ok(`PUT ${P}/integrations/slack-slash-commands`, { token: TOKEN })
  const trigger = async (body: Body, path = `${P}/services/slack_slash_commands`) => {
    const response = await app.call(undefined, `POST ${path}/trigger`, body)
    const result = response.statusCode === 429 ? response.body : response.json<ChatResponse>()
    return [response.statusCode, result] as [number, ChatResponse]
  }
  const said = { token: TOKEN, command: '/app', team_id: 'T1', team_domain: 'team', channel_id: 'C1' }
  /** The text that the chat user sees. */
  const say = async (
    text: string,
    user: string | undefined = 'U1',
    more: Body = {},
  ): Promise<ChatResponse> => {
    const [status, result] = await trigger({ ...said, text, user_id: user, user_name: 'chat', ...more })
    expect(status).toBe(200)
    return result
  }
  const codeFor = async (user: string) => /\?code=(\S+)$/.exec((await say('help', user)).text)?.[1] ?? ''
  /** As the page does it with the session of the user. */
  const confirm = async (person: Person, code: string) =>
    callAs(app.app, await openBrowser(services.database, person), 'POST /user/chat_names', { code })
  const connect = async (person: Person, user: string): Promise<Body> => {
    const response = await confirm(person, await codeFor(user))
    expect(response.statusCode).toBe(201)
    return response.json()
  }
  const person = async (name: string, level?: number) => {
    const someone = await addPerson(services.database, name)
    if (level !== undefined) await ok(`POST ${P}/members`, { user_id: someone.id, access_level: level })
    return someone
  }
  return { ...scene, trigger, say, codeFor, confirm, connect, person, said }
}
