import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { describe, expect, test } from 'vitest'

import { onFinished } from '../../support/lifetime.js'
import { runBridgeTasks } from '../ci/engine/support/downstream.js'
import { type Browser, openBrowser } from '../support/browser.js'
import {
  type CiCoordinator,
  ciCoordinatorForFile,
  jobNamed,
  pushPipeline,
} from '../support/ci-coordinator.js'
import { insertProject } from '../support/insert-project.js'
import { limitedToken } from '../support/limited-token.js'
import { addPerson, EXTERNAL_URL } from '../support/test-app.js'

const BACK = 'http://127.0.0.1:9/back'
const openCoordinator = ciCoordinatorForFile()

/** A user with two projects, each with a pipeline; the one of `group/app` has started the one of `dev/other`. */
async function openScene() {
  const coordinator = await openCoordinator()
  const { database, engine, project, repositories } = coordinator
  const dev = await addPerson(database, 'dev')
  await database
    .insertInto('member')
    .values({ user_id: dev.id, project_id: project.id, access_level: 40, created_at: Date.now() })
    .execute()
  const { id: namespace_id } = await database
    .selectFrom('namespace')
    .select('id')
    .where('owner_id', '=', dev.id)
    .executeTakeFirstOrThrow()
  const { id } = await insertProject(database, {
    full_path: 'dev/other',
    namespace_id,
    creator_id: dev.id,
    default_branch: 'main',
  })
  const user = await database
    .selectFrom('user')
    .selectAll()
    .where('id', '=', dev.id)
    .executeTakeFirstOrThrow()
  repositories.files.set(`${id}:.gitlab-ci.yml`, 'hidden: { script: make }')
  repositories.files.set(`${id}:parts.yml`, 'secret-part: { script: make }')
  const pipeline = await pushPipeline(
    coordinator,
    'unit: { script: make }\nnext: { trigger: { project: dev/other } }',
    { user },
  )
  await runBridgeTasks(engine)
  const below = await jobNamed(coordinator, 'hidden')
  const other = { id, path: 'dev/other', job: below.id, pipeline: below.pipeline_id }
  return { coordinator, database, project, pipeline, dev, other }
}

type Scene = Awaited<ReturnType<typeof openScene>>

/** Sends requests for the external address of the coordinator to where it listens. */
function fetchHere({ url }: CiCoordinator) {
  return (address: string | URL, init?: RequestInit) =>
    fetch(String(address).replace(EXTERNAL_URL, new URL(url).origin), init)
}

/** A client of the SDK that keeps in memory what its provider of OAuth stores; `page` is the page that it opened. */
function openProgram(coordinator: CiCoordinator) {
  const kept: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string; page?: URL } =
    {}
  const authProvider: OAuthClientProvider = {
    redirectUrl: BACK,
    clientMetadata: {
      redirect_uris: [BACK],
      client_name: 'Mender',
      token_endpoint_auth_method: 'none',
      scope: 'mcp',
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (page) => void (kept.page = page),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
  }
  const open = () =>
    new StreamableHTTPClientTransport(new URL(`${EXTERNAL_URL}/api/v4/mcp`), {
      authProvider,
      fetch: fetchHere(coordinator),
    })
  const connect = async () => {
    const client = new Client({ name: 'mender', version: '1' })
    await client.connect(open())
    onFinished(() => client.close())
    return client
  }
  return { kept, open, connect }
}

/** The user allows what the page asks for, in these projects. Returns the code for the program. */
async function allow(
  { app }: CiCoordinator,
  { headers }: Browser,
  page: URL,
  projects: string,
): Promise<string> {
  const shown = await app.app.inject({ url: page.pathname + page.search, headers })
  const [form = ''] = shown.body.split('</form>')
  const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
  const sent = await app.app.inject({
    method: 'POST',
    url: '/oauth/authorize',
    headers: {
      ...headers,
      origin: EXTERNAL_URL,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams({ ...fields, decision: 'allow', projects }).toString(),
  })
  return new URL(String(sent.headers.location)).searchParams.get('code') ?? ''
}

async function callTool(client: Client, name: string, input: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: input })
  return (content as { text: string }[])[0]?.text ?? ''
}

test('a program that registers itself reaches the projects that its user names, also after it refreshes', async () => {
  const { coordinator, database, project, dev, other, pipeline } = await openScene()
  const program = openProgram(coordinator)
  await expect(program.connect()).rejects.toThrow(UnauthorizedError)
  const browser = await openBrowser(database, dev)
  const code = await allow(
    coordinator,
    browser,
    program.kept.page ?? new URL(EXTERNAL_URL),
    project.full_path,
  )
  await program.open().finishAuth(code)
  const client = await program.connect()
  const jobs = (of: string | number, id: number) =>
    callTool(client, 'pipeline_jobs', { project: of, pipeline: id })
  expect(await jobs(project.full_path, pipeline.id)).toContain('unit')
  const refused = 'The server refused GET /projects/:id/pipelines/:pipeline_id/graph with 404'
  for (const of of [other.path, String(other.id)]) expect(await jobs(of, other.pipeline)).toContain(refused)
  await database
    .updateTable('oauth_token')
    .set({ expires_at: Date.now() - 1000 })
    .execute()
  const before = program.kept.tokens?.access_token
  expect(await jobs(project.full_path, pipeline.id)).toContain('unit')
  expect(program.kept.tokens?.access_token).not.toBe(before)
  expect(await jobs(other.path, other.pipeline)).toContain(refused)
})

describe('a token for some projects of a user', () => {
  async function openCaller(scene: Scene) {
    const { database, dev, project, coordinator } = scene
    const limited = await limitedToken(database, dev, [project.id])
    const unlimited = await limitedToken(database, dev, null)
    const call = async (token: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${token}` }
      const method = body ? ('POST' as const) : ('GET' as const)
      const response = await coordinator.app.app.inject({
        method,
        url: path,
        headers,
        ...(body && { payload: body }),
      })
      return { status: response.statusCode, body: response.body }
    }
    return { limited, unlimited, call }
  }

  test('reads no other one by ID or path, however it is written, nor what is in it by the first one', async () => {
    const scene = await openScene()
    const { database, project, other } = scene
    const { limited, unlimited, call } = await openCaller(scene)
    await database
      .insertInto('old_path')
      .values({ path: 'dev/before', project_id: other.id, created_at: Date.now() })
      .execute()
    for (const id of [
      other.id,
      'dev%2Fother',
      'DEV%2FOther',
      'dev%2fother',
      '%64ev%2Fother',
      'dev%2Fbefore',
    ]) {
      const path = `/api/v4/projects/${id}/pipelines`
      expect([path, (await call(limited, path)).status]).toEqual([path, 404])
    }
    // In turn with a token of the same user that is not limited: no response is kept from one for the other.
    for (let time = 1; time <= 2; time++) {
      expect((await call(unlimited, `/api/v4/projects/${other.id}/pipelines`)).status).toBe(200)
      expect((await call(limited, `/api/v4/projects/${other.id}/pipelines`)).status).toBe(404)
    }
    const within = `/api/v4/projects/${project.id}`
    for (const path of [
      `/pipelines/${other.pipeline}/graph`,
      `/pipelines/${other.pipeline}/failures`,
      `/jobs/${other.job}/failure`,
      `/jobs/${other.job}/trace/lines`,
    ]) {
      expect([path, (await call(limited, within + path)).status]).toEqual([path, 404])
    }
  })

  test('does not see what the first one has started in another, nor includes its files', async () => {
    const scene = await openScene()
    const { project, other, pipeline } = scene
    const { limited, unlimited, call } = await openCaller(scene)
    const graph = async (token: string) =>
      (await call(token, `/api/v4/projects/${project.id}/pipelines/${pipeline.id}/graph`)).body
    expect(await graph(unlimited)).toContain(other.path)
    expect(await graph(limited)).not.toContain(other.path)
    const lint = async (token: string) => {
      const content = `include: { project: ${other.path}, file: parts.yml }`
      return (await call(token, `/api/v4/projects/${project.id}/ci/lint`, { content })).body
    }
    expect(await lint(unlimited)).toContain('secret-part')
    expect(await lint(limited)).toContain('`dev/other` not found or access denied')
    expect(await lint(limited)).not.toContain('secret-part')
  })

  test('opens nothing outside of the tools: no list, no file by its address, and no repository', async () => {
    const scene = await openScene()
    const { project, other, database, dev } = scene
    const { call } = await openCaller(scene)
    // A grant from before, or of an administrator of the database, may have more scopes.
    const token = await limitedToken(database, dev, [project.id], ['mcp', 'api', 'read_repository'])
    for (const [path, status] of [
      ['/api/v4/groups', 403],
      ['/api/v4/live', 403],
      ['/api/v4/runners', 403],
      ['/api/v4/jobs', 403],
      [`/${other.path}/badges/main/pipeline.svg`, 403],
      [`/${other.path}/-/archive/main/other-main.zip`, 403],
      [`/${other.path}/-/raw/main/file`, 403],
      [`/${other.path}/-/jobs/${other.job}/artifacts/raw/file`, 403],
      [`/${other.path}.git/info/refs?service=git-upload-pack`, 401],
      [`/${project.full_path}.git/info/refs?service=git-upload-pack`, 401],
    ] as const) {
      expect([path, (await call(token, path)).status]).toEqual([path, status])
    }
  })
})
