import { expect, test } from 'vitest'

import { type Operation, respond } from '../../../src/coordinator/http/operation.js'
import { TOOLS } from '../../../src/mcp/tools/index.js'
import { openSqlite } from '../../support/databases.js'
import { sampled, variants } from '../../support/nightly.js'
import { declaredOperations } from '../support/declared-operations.js'
import { limitedToken } from '../support/limited-token.js'
import { addRunningJob } from '../support/running-job.js'
import { addPerson, openApp, type TestApp } from '../support/test-app.js'

const ALLOWED = 204

/** Everything that the token of a running job opens (API, A3). */
const REACH = new Set([
  'GET /job',
  'GET /projects/:id/jobs',
  'GET /projects/:id/pipelines/:pipeline_id/jobs',
  'PUT /projects/:id/pipelines/:pipeline_id/metadata',
  'GET /projects/:id/jobs/:job_id/artifacts',
  'GET /projects/:id/jobs/:job_id/artifacts/*artifact_path',
  'GET /projects/:id/jobs/:job_id/artifacts/folder',
  'GET /projects/:id/jobs/:job_id/artifacts/tree',
  'GET /projects/:id/jobs/artifacts/:ref_name/download',
  'GET /projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path',
  'GET /projects/:id/jobs/artifacts/*ref_and_file',
  'GET /projects/:id/releases',
  'POST /projects/:id/releases',
  'GET /projects/:id/releases/:tag_name',
  'PUT /projects/:id/releases/:tag_name',
  'DELETE /projects/:id/releases/:tag_name',
  'GET /projects/:id/releases/:tag_name/downloads/*direct_asset_path',
  'GET /projects/:id/releases/permalink/latest',
  'GET /projects/:id/releases/permalink/latest/*suffix_path',
  'GET /projects/:id/releases/:tag_name/assets/links',
  'POST /projects/:id/releases/:tag_name/assets/links',
  'GET /projects/:id/releases/:tag_name/assets/links/:link_id',
  'PUT /projects/:id/releases/:tag_name/assets/links/:link_id',
  'DELETE /projects/:id/releases/:tag_name/assets/links/:link_id',
  'GET /projects/:id/environments',
  'POST /projects/:id/environments',
  'GET /projects/:id/environments/:environment_id',
  'PUT /projects/:id/environments/:environment_id',
  'DELETE /projects/:id/environments/:environment_id',
  'POST /projects/:id/environments/:environment_id/stop',
  'GET /projects/:id/deployments',
  'POST /projects/:id/deployments',
  'GET /projects/:id/deployments/:deployment_id',
  'PUT /projects/:id/deployments/:deployment_id',
  'GET /projects/:id/repository/files/:file_path/raw',
  'GET /projects/:id/repository/changelog',
  'GET /projects/:id/repository/tags',
  'GET /projects/:id/merge_requests',
  'GET /projects/:id/merge_requests/:merge_request_iid',
  'GET /projects/:id/secure_files',
  'GET /projects/:id/secure_files/:secure_file_id',
  'GET /projects/:id/secure_files/:secure_file_id/download',
])

test('the token of a running job is accepted by the listed operations only', async () => {
  const { app, operations, job } = await openScene()
  const surprises: string[] = []
  for (const operation of operations) {
    const status = await statusOf(app, operation, job.projectId, { 'job-token': job.token })
    const expected = REACH.has(routeOf(operation)) || looksAtTokensItself(operation) ? ALLOWED : 403
    if (status !== expected) surprises.push(`${routeOf(operation)}: ${status} instead of ${expected}`)
  }
  expect(surprises).toEqual([])
})

test('a job token is refused by a project that does not allow it, whatever the role of its user', async () => {
  const { app, operations, job, otherProjectId } = await openScene()
  for (const operation of operations.filter((each) => REACH.has(routeOf(each)))) {
    if (!operation.path.startsWith('/projects/')) continue
    const status = await statusOf(app, operation, otherProjectId, { 'job-token': job.token })
    expect([routeOf(operation), status]).toEqual([routeOf(operation), 403])
  }
})

test('a job token is accepted as header, bearer token and parameter', async () => {
  const { app, job } = await openScene()
  const path = `/api/v4/projects/${job.projectId}/releases`
  for (const [headers, query] of [
    [{ 'job-token': job.token }, ''],
    [{ authorization: `Bearer ${job.token}` }, ''],
    [{}, `?job_token=${job.token}`],
  ] as const) {
    expect((await app.app.inject({ url: path + query, headers })).statusCode).toBe(ALLOWED)
  }
  const wrong = await app.app.inject({ url: path, headers: { 'private-token': job.token } })
  expect(wrong.statusCode).toBe(401)
})

test.each(variants(['success', 'pending'] as const, ['failed', 'canceled'] as const))(
  'the token of a job that is %s opens nothing',
  async (status) => {
    const { app, database, operations, job } = await openScene()
    await database.updateTable('job').set({ status }).execute()
    for (const operation of operations.filter((each) => REACH.has(routeOf(each)))) {
      const served = await statusOf(app, operation, job.projectId, { 'job-token': job.token })
      expect([routeOf(operation), served]).toEqual([routeOf(operation), 401])
    }
  },
)

/** Everything that a token with the scope `mcp` opens: the operations of the tools, and the token itself. */
const REACH_OF_PROGRAMS = new Set([
  'POST /mcp',
  ...TOOLS.flatMap(({ routes }) => routes),
  'GET /personal_access_tokens/self',
  'DELETE /personal_access_tokens/self',
])

test('a token with the scope mcp is accepted by the operations of the tools only', async () => {
  const { app, database, operations, job } = await openScene()
  const { token } = await addPerson(database, 'program', { admin: true, scopes: ['mcp'] })
  const accepted: string[] = []
  for (const operation of triedForPrograms(operations)) {
    const status = await statusOf(app, operation, job.projectId, { 'private-token': token })
    if (status === ALLOWED) accepted.push(routeOf(operation))
  }
  expect(accepted.toSorted()).toEqual([...REACH_OF_PROGRAMS].toSorted())
})

test('a token for some projects is accepted by the operations of the tools in these projects only', async () => {
  const { app, database, operations, job, otherProjectId } = await openScene()
  const program = await addPerson(database, 'program', { admin: true })
  // No scope that the grant may have had beside it reaches more.
  const token = await limitedToken(database, program, [job.projectId], ['mcp', 'api', 'sudo'])
  const headers = { authorization: `Bearer ${token}` }
  const accepted = async (projectId: number) => {
    const routes: string[] = []
    for (const operation of triedForPrograms(operations))
      if ((await statusOf(app, operation, projectId, headers)) === ALLOWED) routes.push(routeOf(operation))
    return routes.toSorted()
  }
  expect(await accepted(job.projectId)).toEqual([...REACH_OF_PROGRAMS].toSorted())
  const withoutProject = [...REACH_OF_PROGRAMS].filter((route) => !route.includes('/projects/'))
  expect(await accepted(otherProjectId)).toEqual(withoutProject.toSorted())
})

/** Whether a program may call an operation is not decided by each of them: on a push, some of the others are tried. */
function triedForPrograms(operations: Operation[]): Operation[] {
  const isReached = (operation: Operation) => REACH_OF_PROGRAMS.has(routeOf(operation))
  const others = operations.filter((operation) => !isReached(operation))
  return [...operations.filter(isReached), ...sampled(others, 150)]
}

async function openScene() {
  const { database } = await openSqlite()
  const operations = await declaredOperations()
  const reachable = operations.map(({ params: _, changes: _changes, ...declared }) => ({
    ...declared,
    run: async () => respond(ALLOWED),
  }))
  const app = openApp(database, reachable, { checkResponses: false })
  const owner = await addPerson(database, 'owner')
  const job = await addRunningJob(database, owner, 'own')
  const other = await addRunningJob(database, owner, 'other')
  return { app, database, operations, job, otherProjectId: other.projectId }
}

async function statusOf(
  app: TestApp,
  { method, path }: Operation,
  projectId: number,
  headers: Record<string, string>,
): Promise<number> {
  const address = path.replace(/^\/projects\/:id/, `/projects/${projectId}`).replace(/[:*]\w+/g, '1')
  return (await app.app.inject({ method, url: `/api/v4${address}`, headers })).statusCode
}

/** The operations for runners and for trigger tokens. */
function looksAtTokensItself({ access, jobToken }: Operation): boolean {
  return access === 'anyone' && !jobToken
}

function routeOf({ method, path }: Operation): string {
  return `${method} ${path}`
}
