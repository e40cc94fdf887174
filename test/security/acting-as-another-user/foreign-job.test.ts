import { expect, test } from 'vitest'

import { isChange } from '../../../src/coordinator/access/access.js'
import { insertGroup } from '../../../src/coordinator/accounts/groups/store.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import type { ProjectTable } from '../../../src/coordinator/database/tables/projects.js'
import { inTransaction } from '../../../src/coordinator/database/transaction.js'
import { type Operation, respond } from '../../../src/coordinator/http/operation.js'
import { LEAST_ROLES } from '../../coordinator/http/least-roles.js'
import { declaredOperations } from '../../coordinator/support/declared-operations.js'
import { addRunningJob } from '../../coordinator/support/running-job.js'
import { addPerson, openApp, type Person } from '../../coordinator/support/test-app.js'
import { describeOnDatabase, type OpenDatabase } from '../../support/databases.js'
import { sceneForFile } from '../../support/scene-for-file.js'

// Two projects: the token of a job of `job/job` is shown in `other/other`.

const ALLOWED = 204
const VISIBLE = ['guest', 'reporter', 'pipeline reader']

const openScene = sceneForFile(buildScene)

describeOnDatabase('The token of a job in another project', (open) => {
  test('opens nothing to a user who may not see it, by whatever name it is called', async () => {
    const scene = await openScene(open)
    await scene.database.updateTable('job').set({ user_id: scene.stranger.id }).execute()
    await scene.list({ project: scene.jobProject })
    for (const name of [scene.other, 'other%2Fother', 'OTHER%2Fother', 9999]) {
      expect(new Set(Object.values(await scene.statuses(name))), String(name)).toEqual(new Set([404]))
    }
  })

  test('opens nothing where its project is not listed, and says why to a user who may see that', async () => {
    const scene = await openScene(open)
    for (const name of [scene.other, 'other%2Fother', 'OTHER%2Fother']) {
      expect(new Set(Object.values(await scene.statuses(name))), String(name)).toEqual(new Set([403]))
    }
    const { body } = await scene.call(`GET /projects/${scene.other}/releases`)
    expect(body).toEqual({
      message: `403 Forbidden - This project does not accept job tokens of project ${scene.jobProject}: a maintainer can add it to the allowlist with POST /projects/${scene.other}/job_token_scope/allowlist`,
    })
  })

  test('is taken in whichever way it is shown, and refused alike', async () => {
    const scene = await openScene(open)
    const path = `/projects/${scene.other}/releases`
    for (const [credentials, query] of [
      [{ 'job-token': scene.token }, ''],
      [{ authorization: `Bearer ${scene.token}` }, ''],
      [{}, `?job_token=${scene.token}`],
    ] as const) {
      expect((await scene.call(`GET ${path}${query}`, credentials)).status).toBe(403)
    }
    await scene.list({ project: scene.jobProject })
    expect((await scene.call(`GET ${path}?job_token=${scene.token}`, {})).status).toBe(ALLOWED)
  })

  test('opens what the role of its user does where its project is listed, until it is not any more', async () => {
    const scene = await openScene(open)
    await scene.list({ project: scene.jobProject })
    expect(await refused(scene)).toEqual([])
    await scene.database.deleteFrom('job_token_project').execute()
    expect(new Set(Object.values(await scene.statuses()))).toEqual(new Set([403]))
  })

  test('opens no more than the role of its user does', async () => {
    const scene = await openScene(open)
    await scene.list({ project: scene.jobProject })
    await scene.makeMember(scene.stranger, 20)
    const changes = scene.operations.filter((each) => isChange(each))
    expect(await refused(scene)).toEqual(expect.arrayContaining(changes.map(routeOf)))
    await scene.set({ archived: true })
    await scene.makeMember(scene.stranger, 40)
    expect(await refused(scene)).toEqual(changes.map(routeOf))
  })

  test('opens them where a group above its project is listed, as long as it is above', async () => {
    const scene = await openScene(open)
    const team = await scene.addGroup('team')
    const inner = await scene.addGroup('inner', team)
    const aside = await scene.addGroup('aside')
    const moveTo = (namespace_id: number) =>
      scene.database.updateTable('project').set({ namespace_id }).where('id', '=', scene.jobProject).execute()
    await scene.makeMember(scene.stranger, 50)
    await scene.list({ group: team })
    expect(await refused(scene)).toHaveLength(scene.operations.length)
    for (const [group, count] of [
      [team, 0],
      [inner, 0],
      [aside, scene.operations.length],
    ] as const) {
      await moveTo(group)
      expect(await refused(scene), String(group)).toHaveLength(count)
    }
  })

  test('is not allowed by a list of its own project, nor by the group of the other one', async () => {
    const scene = await openScene(open)
    const { jobProject, other } = scene
    await scene.database
      .insertInto('job_token_project')
      .values({ project_id: jobProject, allowed_project_id: other, created_at: 0 })
      .execute()
    const group = await scene.addGroup('team')
    await scene.set({ namespace_id: group })
    await scene.makeMember(scene.stranger, 50)
    await scene.list({ group })
    expect(new Set(Object.values(await scene.statuses()))).toEqual(new Set([403]))
  })

  test('opens what the role of its user does where the scope is switched off, and nothing to strangers', async () => {
    const scene = await openScene(open)
    await scene.set({ job_token_scope_enabled: false })
    expect(await refused(scene)).toEqual([])
    await scene.database.updateTable('job').set({ user_id: scene.stranger.id }).execute()
    expect(new Set(Object.values(await scene.statuses()))).toEqual(new Set([404]))
  })

  test.each(['public', 'internal'] as const)(
    'reads where it is not listed what is shown by a project that is %s, and changes nothing',
    async (visibility) => {
      const scene = await openScene(open)
      await scene.set({ visibility })
      const shown = scene.operations.filter(
        (each) => !isChange(each) && VISIBLE.includes(LEAST_ROLES[routeOf(each)] ?? ''),
      )
      const closed = scene.operations.filter((each) => !shown.includes(each)).map(routeOf)
      expect(shown.length).toBeGreaterThan(10)
      expect(await refused(scene)).toEqual(closed)
      expect(new Set(Object.values(await scene.statuses()))).toEqual(new Set([ALLOWED, 403]))
      // Neither an administrator gets access, nor an owner to operations for members.
      await scene.database.updateTable('user').set({ is_admin: true }).execute()
      expect(await refused(scene)).toEqual(closed)
      await scene.set({ public_jobs: false, releases_access_level: 'private' })
      expect(await refused(scene)).toEqual(
        expect.arrayContaining(['GET /projects/:id/jobs', 'GET /projects/:id/releases']),
      )
    },
  )

  test('does not reach an internal project for an external user', async () => {
    const scene = await openScene(open)
    await scene.set({ visibility: 'internal' })
    await scene.database.updateTable('user').set({ external: true }).execute()
    expect(new Set(Object.values(await scene.statuses()))).toEqual(new Set([403]))
    await scene.database.updateTable('job').set({ user_id: scene.stranger.id }).execute()
    expect(new Set(Object.values(await scene.statuses()))).toEqual(new Set([404]))
  })

  test('is refused when its user is blocked, though its project is listed', async () => {
    const scene = await openScene(open)
    await scene.list({ project: scene.jobProject })
    await scene.database.updateTable('user').set({ state: 'blocked' }).execute()
    const { status, body } = await scene.call(`GET /projects/${scene.other}/releases`)
    expect([status, body]).toEqual([403, { message: '403 Forbidden - Your account has been blocked.' }])
  })

  test('what is listed is gone from the list with the project, or the group', async () => {
    const scene = await openScene(open)
    const group = await scene.addGroup('team')
    await scene.list({ project: scene.jobProject })
    await scene.list({ group })
    await scene.database.deleteFrom('namespace').where('id', '=', group).execute()
    await scene.database.deleteFrom('project').where('id', '=', scene.jobProject).execute()
    const left = ['job_token_project', 'job_token_group'] as const
    for (const table of left) {
      expect(await scene.database.selectFrom(table).selectAll().execute()).toEqual([])
    }
  })
})

type Scene = Awaited<ReturnType<typeof buildScene>>

async function buildScene(open: OpenDatabase) {
  const { database } = await open()
  const operations = (await declaredOperations()).filter(
    ({ jobToken, path }) => jobToken && path.startsWith('/projects/:id'),
  )
  const reachable = operations.map(({ params: _, changes: _changes, ...declared }) => ({
    ...declared,
    run: async () => respond(ALLOWED),
  }))
  const app = openApp(database, reachable, { checkResponses: false })
  const owner = await addPerson(database, 'owner')
  const stranger = await addPerson(database, 'stranger')
  const { projectId: jobProject, token } = await addRunningJob(database, owner, 'job')
  const { projectId: other } = await addRunningJob(database, owner, 'other')
  const set = (
    values: Partial<Pick<ProjectTable, 'visibility' | 'namespace_id'>> & Record<string, unknown>,
  ) => database.updateTable('project').set(values).where('id', '=', other).execute()

  async function call(route: string, headers: Record<string, string> = { 'job-token': token }) {
    const [method, path] = route.split(' ', 2)
    const url = `/api/v4${path}`
    const response = await app.app.inject({ method: method as 'GET', url, headers })
    return { status: response.statusCode, body: response.body ? response.json<unknown>() : undefined }
  }

  /** Of every operation that takes job tokens, by route. */
  async function statuses(name: string | number = other): Promise<Record<string, number>> {
    const found: Record<string, number> = {}
    for (const operation of operations) {
      const path = operation.path.replace(':id', String(name)).replace(/[:*]\w+/g, '1')
      found[routeOf(operation)] = (await call(`${operation.method} ${path}`)).status
    }
    return found
  }

  /** The user of the job becomes one with this role in the other project alone. */
  async function makeMember({ id: user_id }: Person, access_level: number): Promise<void> {
    await database.updateTable('job').set({ user_id }).execute()
    await database.deleteFrom('member').where('user_id', '=', user_id).execute()
    const member = { project_id: other, user_id, access_level, created_at: 0 }
    await database.insertInto('member').values(member).execute()
  }

  return {
    database,
    operations,
    jobProject,
    other,
    token,
    owner,
    stranger,
    set,
    call,
    statuses,
    makeMember,
    list: (what: { project: number } | { group: number }) => listIn(database, other, what),
    addGroup: (path: string, parent_id?: number) => addGroup(database, path, parent_id),
  }
}

async function listIn(
  database: Database,
  project_id: number,
  what: { project: number } | { group: number },
): Promise<void> {
  const entry = { project_id, created_at: 0 }
  if ('project' in what) {
    await database
      .insertInto('job_token_project')
      .values({ ...entry, allowed_project_id: what.project })
      .execute()
  } else {
    await database
      .insertInto('job_token_group')
      .values({ ...entry, allowed_group_id: what.group })
      .execute()
  }
}

async function addGroup(database: Database, path: string, parent_id: number | null = null): Promise<number> {
  const named = { name: path, path, full_path: path, visibility: 'private', created_at: 0 } as const
  const { id } = await inTransaction(database, (tx) =>
    insertGroup(tx, { ...named, kind: 'group', parent_id }),
  )
  return id
}

/** Routes that are not opened. */
async function refused({ statuses }: Scene): Promise<string[]> {
  return Object.entries(await statuses()).flatMap(([route, status]) => (status === ALLOWED ? [] : [route]))
}

function routeOf({ method, path }: Operation): string {
  return `${method} ${path}`
}
