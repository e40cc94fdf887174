import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../../support/databases.js'
import {
  type CiCoordinator,
  ciCoordinatorForFile,
  jobNamed,
  pushPipeline,
} from '../../support/ci-coordinator.js'
import { addPerson, type Person } from '../../support/test-app.js'

const openCoordinator = ciCoordinatorForFile()

const FILE = 'deploy: { script: x, resource_group: "review/$CI_COMMIT_REF_NAME" }'
const PATH = '/resource_groups/review%2Fmain'

async function person({ database, project }: CiCoordinator, access_level: number): Promise<Person> {
  const added = await addPerson(database, `level${access_level}`)
  const membership = { project_id: project.id, user_id: added.id, access_level, created_at: Date.now() }
  await database.insertInto('member').values(membership).execute()
  return added
}

function caller(coordinator: CiCoordinator) {
  return (as: Person | undefined, route: string, body?: object) => {
    const [method = '', path = ''] = route.split(' ')
    return coordinator.app.call(as, `${method} /projects/${coordinator.project.id}${path}`, body)
  }
}

describeOnDatabase('the resource groups of a project', (open) => {
  test('are listed, shown and told whom to prefer', async () => {
    const coordinator = await openCoordinator(open)
    const call = caller(coordinator)
    const developer = await person(coordinator, 30)
    expect((await call(developer, 'GET /resource_groups')).json()).toEqual([])
    await pushPipeline(coordinator, FILE)
    await pushPipeline(coordinator, FILE, { sha: 'b'.repeat(40) })

    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string
    const group = {
      id: expect.any(Number) as number,
      key: 'review/main',
      process_mode: 'unordered',
      created_at: time,
      updated_at: time,
    }
    const listed = await call(developer, 'GET /resource_groups')
    expect(listed.json()).toEqual([group])
    expect(listed.headers['x-total']).toBe('1')
    expect((await call(developer, `GET ${PATH}`)).json()).toEqual(group)

    const changed = await call(developer, `PUT ${PATH}`, { process_mode: 'newest_first' })
    expect(changed.statusCode).toBe(200)
    expect(changed.json()).toEqual({ ...group, process_mode: 'newest_first' })
    const wrong = await call(developer, `PUT ${PATH}`, { process_mode: 'random' })
    expect(wrong.statusCode).toBe(400)
    expect(wrong.json()).toEqual({ error: 'process_mode does not have a valid value' })
  })

  test('show the job that has the resource and those that come next', async () => {
    const coordinator = await openCoordinator(open)
    const call = caller(coordinator)
    await pushPipeline(coordinator, FILE)
    const current = await jobNamed(coordinator, 'deploy')
    await pushPipeline(coordinator, FILE, { ref: 'main', sha: 'b'.repeat(40) })
    const waiting = await jobNamed(coordinator, 'deploy')
    const { admin } = coordinator
    expect((await call(admin, `GET ${PATH}/current_job`)).json()).toMatchObject({ id: current.id })
    const upcoming = await call(admin, `GET ${PATH}/upcoming_jobs`)
    expect(upcoming.json()).toMatchObject([{ id: waiting.id, status: 'waiting_for_resource' }])
    expect(upcoming.headers['x-total']).toBe('1')
    const { pipeline_id } = current
    const details = {
      key: 'review/main',
      current_job: { id: current.id, name: 'deploy', status: 'pending', pipeline_id, started_at: null },
      upcoming_jobs: 1,
    }
    expect((await call(admin, 'GET /resource_groups?with_details=true')).json()).toMatchObject([details])
    expect((await call(admin, `GET ${PATH}?with_details=true`)).json()).toMatchObject(details)

    // Only the ordered modes count jobs that are not ready.
    const { database } = coordinator
    await database.updateTable('job').set({ status: 'created' }).where('id', '=', waiting.id).execute()
    const count = async () =>
      (await call(admin, `GET ${PATH}?with_details=true`)).json<{ upcoming_jobs: number }>().upcoming_jobs
    expect(await count()).toBe(0)
    await call(admin, `PUT ${PATH}`, { process_mode: 'oldest_first' })
    expect(await count()).toBe(1)
  })

  test('are for developers', async () => {
    const coordinator = await openCoordinator(open)
    const call = caller(coordinator)
    await pushPipeline(coordinator, FILE)
    const reporter = await person(coordinator, 20)
    expect((await call(reporter, 'GET /resource_groups')).statusCode).toBe(403)
    expect((await call(reporter, `PUT ${PATH}`, { process_mode: 'unordered' })).statusCode).toBe(403)
    expect((await call(undefined, 'GET /resource_groups')).statusCode).toBe(401)
    const missing = await call(coordinator.admin, 'GET /resource_groups/nothing')
    expect(missing.statusCode).toBe(404)
  })
})
