import { expect, test } from 'vitest'

import { ApiError } from '../../../../src/coordinator/http/errors.js'
import { listCiOperations } from '../../../../src/coordinator/start/operations/ci.js'
import { listProjectOperations } from '../../../../src/coordinator/start/operations/hosting.js'
import { transferParts } from '../../../../src/coordinator/start/services/archive-parts.js'
import { archiveOf, importArchiveInto } from '../../support/copy-project.js'
import { recordsIn, unpackArchive } from '../../support/project-archive.js'
import { addPerson } from '../../support/test-app.js'
import { openTestApp, openTestServices } from '../../support/test-coordinator.js'

async function openScene() {
  const services = await openTestServices()
  const app = openTestApp(services, {
    operations: (all, deps) => [...listCiOperations(all, deps), ...listProjectOperations(all, deps)],
  })
  const root = await addPerson(services.database, 'root', { admin: true })
  const ok = async <T>(route: string, body?: object): Promise<T> => {
    const response = await app.call(root, route, body)
    expect(response.statusCode, `${route}: ${response.body}`).toBeLessThan(300)
    return response.json()
  }
  const { id } = await ok<{ id: number }>('POST /projects', { name: 'app' })
  return { services, root, ok, id }
}

test('a project comes out of its archive with its freeze periods and feature flags, without their token', async () => {
  const { services, root, ok, id } = await openScene()
  const P = `/projects/${id}`
  const weekend = { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1', cron_timezone: 'Europe/Berlin' }
  const nights = { freeze_start: '0 22 * * *', freeze_end: '0 6 * * *', cron_timezone: 'UTC' }
  for (const period of [weekend, nights]) await ok(`POST ${P}/freeze_periods`, period)
  // The IDs and numbers of the second list differ in the copy.
  await ok(`POST ${P}/feature_flags_user_lists`, { name: 'gone', user_xids: 'x' })
  const list = { name: 'Testers', user_xids: 'ann,bob' }
  const { id: user_list_id } = await ok<{ id: number }>(`POST ${P}/feature_flags_user_lists`, list)
  await ok(`POST ${P}/feature_flags`, {
    name: 'menu',
    description: 'New menu',
    active: false,
    strategies: [
      { name: 'gitlabUserList', user_list_id, scopes: [{ environment_scope: 'review/*' }] },
      { name: 'gradualRolloutUserId', parameters: { groupId: 'default', percentage: '25' } },
    ],
  })
  await ok(`POST ${P}/feature_flags`, { name: 'plain' })
  const { instance_id: token } = await ok<{ instance_id: string }>(`GET ${P}/feature_flags_client`)

  const archive = await archiveOf(services, id)
  const files = await unpackArchive(archive)
  expect(recordsIn(files.get('feature_flags.ndjson'))).toHaveLength(2)
  for (const content of files.values()) expect(content.includes(token)).toBe(false)
  const copy = await importArchiveInto(services, archive, root, 'copy')
  expect([copy.status, copy.problems]).toEqual(['finished', []])
  const C = `/projects/${copy.id}`
  expect(await ok(`GET ${C}/freeze_periods`)).toMatchObject([weekend, nights])
  expect(await ok(`GET ${C}/feature_flags_user_lists`)).toMatchObject([{ name: 'gone' }, list])
  expect(await ok(`GET ${C}/feature_flags`)).toMatchObject([
    {
      name: 'menu',
      description: 'New menu',
      active: false,
      strategies: [
        { name: 'gitlabUserList', scopes: [{ environment_scope: 'review/*' }], user_list: list },
        { name: 'gradualRolloutUserId', parameters: { groupId: 'default', percentage: '25' } },
      ],
    },
    { name: 'plain', description: null, active: true, strategies: [] },
  ])
  const [flag] = await ok<{ strategies: { user_list: { id: number } }[] }[]>(`GET ${C}/feature_flags`)
  expect(flag?.strategies[0]?.user_list.id).not.toBe(user_list_id)
})

test.each<[string, string, object, number]>([
  [
    'a period without a cron expression',
    'freeze_periods',
    { freeze_start: 'x', freeze_end: '0 7 * * 1' },
    400,
  ],
  ['a list without users', 'feature_flag_user_lists', { name: 'a', user_xids: '' }, 400],
  ['a flag without strategies', 'feature_flags', { name: 'menu' }, 400],
  [
    'a flag with a strategy of no kind',
    'feature_flags',
    { name: 'menu', strategies: [{ parameters: {} }] },
    400,
  ],
  [
    'a flag with a list that is not there',
    'feature_flags',
    { name: 'menu', strategies: [{ name: 'gitlabUserList', user_list: 'of another project' }] },
    400,
  ],
])('%s in an archive is refused, and not stored', async (_what, name, record, status) => {
  const { services, root, ok, id } = await openScene()
  const other = await ok<{ id: number }>('POST /projects', { name: 'other' })
  const list = { name: 'of another project', user_xids: 'x' }
  await ok(`POST /projects/${other.id}/feature_flags_user_lists`, list)
  const part = transferParts(services).find((each) => each.name === name)
  const { database } = services
  const importer = await database
    .selectFrom('user')
    .selectAll()
    .where('id', '=', root.id)
    .executeTakeFirstOrThrow()
  const project = await database
    .selectFrom('project')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const problem: unknown = await part?.write({ project, importer }, record).catch((error: unknown) => error)
  expect(problem).toBeInstanceOf(ApiError)
  expect(problem).toMatchObject({ status })
  for (const each of ['freeze_periods', 'feature_flags', 'feature_flags_user_lists'])
    expect(await ok(`GET /projects/${id}/${each}`)).toEqual([])
})
