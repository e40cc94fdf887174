import { expect, test } from 'vitest'

import { deliveryRequest } from '../../../../../src/coordinator/integrations/webhooks/deliveries/delivery-request.js'
import { openHook } from '../../../../../src/coordinator/integrations/webhooks/deliveries/hook-secrets.js'
import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../../../support/databases.js'
import { testAtNight } from '../../../../support/nightly.js'
import { sceneForFile } from '../../../../support/scene-for-file.js'
import type { Person } from '../../../support/test-app.js'
import { LINES, openMergeScene } from '../git-scene.js'

const SIGNATURE = '49e5df71175f1e44eca98def4b0d25b4666107a3866b252bf1a8c0dcfb828305'

interface Check {
  id: number
  name: string
  external_url: string
  status?: string
  protected_branches: { id: number; name: string }[]
}

/** An open merge request into `main`, and a developer. */
async function buildScene(open: OpenDatabase) {
  const scene = await openMergeScene(open)
  const { commit, make, refresh, ok, call, P, person, database } = scene
  await commit({ 'a.txt': LINES.with(1, 'changed\n').join('') }, { branch: 'topic', from: 'main' })
  const developer = await person('dora')
  await ok(`POST ${P}/members`, { user_id: developer.id, access_level: 30 })
  await make('topic')
  await refresh()
  const M = `${P}/merge_requests/1`
  const { sha } = await ok(`GET ${M}`)
  return {
    ...scene,
    M,
    sha,
    developer,
    check: (name: string, more: object = {}) =>
      ok<Check>(`POST ${P}/external_status_checks`, {
        name,
        external_url: `https://${name}.example`,
        ...more,
      }),
    respond: (id: number, body: object = {}, as: Person = developer) =>
      call(`POST ${M}/status_check_responses`, { external_status_check_id: id, sha, ...body }, as),
    retry: (id: number) => call(`POST ${M}/status_checks/${id}/retry`, undefined, developer),
    statuses: async () =>
      (await ok<Check[]>(`GET ${M}/status_checks`, undefined, developer)).map(({ name, status }) => [
        name,
        status,
      ]),
    /** What the services of checks were sent, oldest first. */
    sent: async () => {
      const events = await database.selectFrom('hook_event').selectAll().orderBy('id').execute()
      const payloads = await Promise.all(events.map(scene.services.deliveries.render))
      return payloads as { external_approval_rule: object; object_attributes: { action: string } }[]
    },
  }
}

const openScene = sceneForFile(buildScene)

test('a check is created, listed, changed and deleted by maintainers, and is no webhook', async () => {
  const { check, ok, call, P, developer } = await openScene()
  const branch = await ok<{ id: number }>(`POST ${P}/protected_branches`, { name: 'release/*' })
  const made = await check('qa', { protected_branch_ids: [branch.id] })
  expect(made).toMatchObject({
    name: 'qa',
    external_url: 'https://qa.example',
    hmac: false,
    protected_branches: [{ id: branch.id, name: 'release/*', code_owner_approval_required: false }],
  })
  expect(await ok(`GET ${P}/external_status_checks`)).toEqual([made])
  const path = `${P}/external_status_checks/${made.id}`
  const changes = { name: 'audit', external_url: 'https://audit.example', protected_branch_ids: [] }
  expect(await ok(`PUT ${path}`, changes)).toMatchObject({
    id: made.id,
    name: 'audit',
    protected_branches: [],
  })
  expect((await call(`GET ${P}/external_status_checks`, undefined, developer))[0]).toBe(403)
  await ok(`DELETE ${path}`)
  expect(await ok(`GET ${P}/external_status_checks`)).toEqual([])
  expect((await call(`DELETE ${path}`))[0]).toBe(404)
})

test('requests are signed with the shared secret, which nobody reads again', async () => {
  const { check, ok, P, database, services } = await openScene()
  const made = await check('qa', { shared_secret: 'key of qa' })
  expect(made).toMatchObject({ hmac: true })
  expect(JSON.stringify([made, await ok(`GET ${P}/external_status_checks`)])).not.toContain('key of qa')
  const signature = async () => {
    const hook = await database
      .selectFrom('web_hook')
      .selectAll()
      .where('status_check_id', '=', made.id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(hook)).not.toContain('key of qa')
    const event = { trigger: 'merge_requests_events', uuid: 'u' } as const
    const delivery = { hook, event, payload: '{"a":"ü"}', idempotencyKey: 'k', attemptId: 'a' }
    const sender = { externalUrl: 'https://ci.example', version: '1.0.0' }
    const { headers, shownHeaders } = deliveryRequest(sender, delivery, openHook(services.secrets, hook))
    return [headers['X-Gitlab-Signature'], shownHeaders['X-Gitlab-Signature']]
  }
  // printf '{"a":"ü"}' | openssl dgst -sha256 -hmac 'key of qa'
  expect(await signature()).toEqual([SIGNATURE, '[REDACTED]'])
  const path = `${P}/external_status_checks/${made.id}`
  const edit = (body: object) => ok(`PUT ${path}`, body)
  const url = 'https://qa2.example'
  expect(await edit({ external_url: made.external_url, name: 'quality' })).toMatchObject({ hmac: true })
  expect(await signature()).toEqual([SIGNATURE, '[REDACTED]'])
  expect(await edit({ shared_secret: '' })).toMatchObject({ hmac: false })
  expect(await signature()).toEqual([undefined, undefined])
  // Who changes the address could have requests signed for the service that was there.
  expect(await edit({ external_url: url, shared_secret: 'key of qa' })).toMatchObject({ hmac: true })
  expect(await edit({ external_url: `${url}/other` })).toMatchObject({ hmac: false })
})

test('names, addresses and branches are checked', async () => {
  const { check, call, P } = await openScene()
  await check('qa')
  const create = (body: object) =>
    call(`POST ${P}/external_status_checks`, { name: 'x', external_url: 'https://x.example', ...body })
  expect(await create({ name: 'qa' })).toEqual([400, { message: { name: ['has already been taken'] } }])
  expect(await create({ external_url: 'https://qa.example' })).toEqual([
    400,
    { message: { external_url: ['has already been taken'] } },
  ])
  expect((await create({ external_url: 'ftp://x.example' }))[0]).toBe(422)
  expect((await create({ external_url: 'http://127.0.0.1/' }))[0]).toBe(422)
  expect((await create({ protected_branch_ids: [99] }))[0]).toBe(400)
  expect((await create({ name: ' ' }))[0]).toBe(400)
})

describeOnDatabase('The services of checks', (open) => {
  test('receive changes of merge requests into their branches, with the check', async () => {
    const { check, ok, sent, statuses, M, P } = await openScene(open)
    const [main] = await ok<{ id: number }[]>(`GET ${P}/protected_branches`)
    const other = await ok<{ id: number }>(`POST ${P}/protected_branches`, { name: 'release/*' })
    const all = await check('all')
    const some = await check('some', { protected_branch_ids: [main?.id, other.id] })
    await check('elsewhere', { protected_branch_ids: [other.id] })
    await ok(`PUT ${M}`, { title: 'Better' })
    expect(await sent()).toMatchObject([
      {
        object_attributes: { action: 'update' },
        external_approval_rule: { id: all.id, name: 'all', external_url: 'https://all.example' },
      },
      { external_approval_rule: { id: some.id, name: 'some' } },
    ])
    expect(await statuses()).toEqual([
      ['all', 'pending'],
      ['some', 'pending'],
    ])
  })

  test('block the merge until they say that the head has passed, where the project wants that', async () => {
    const { check, respond, statuses, ok, call, show, commit, refresh, sha, M, P } = await openScene(open)
    await ok(`PUT ${P}`, { only_allow_merge_if_all_status_checks_passed: true })
    const { id } = await check('qa')
    const status = async () => (await show(1)).detailed_merge_status
    expect(await status()).toBe('status_checks_must_pass')
    expect((await call(`PUT ${M}/merge`))[0]).toBe(405)
    expect((await respond(id, { status: 'failed' }))[0]).toBe(201)
    expect(await statuses()).toEqual([['qa', 'failed']])
    expect(await respond(id, { status: 'passed' })).toMatchObject([
      201,
      { status: 'passed', merge_request: { iid: 1 }, external_status_check: { id, name: 'qa' } },
    ])
    expect(await status()).toBe('mergeable')
    await commit({ 'a.txt': LINES.with(2, 'other\n').join('') }, { branch: 'topic' })
    await refresh()
    expect([await status(), await statuses()]).toEqual(['status_checks_must_pass', [['qa', 'pending']]])
    expect((await respond(id, { sha }))[0]).toBe(409)
    expect((await respond(id, { sha: (await show(1)).sha }))[0]).toBe(201)
    expect((await call(`PUT ${M}/merge`))[0]).toBe(200)
  })
})

test('a check that has failed is retried, and waits again', async () => {
  const { check, respond, retry, statuses, sent } = await openScene()
  const { id } = await check('qa')
  expect(await retry(id)).toEqual([422, { message: 'External status check must be failed' }])
  await respond(id, { status: 'failed' })
  expect(await retry(id)).toEqual([202, { message: '202 Accepted' }])
  expect(await statuses()).toEqual([['qa', 'pending']])
  expect(await sent()).toMatchObject([{ external_approval_rule: { id } }])
  expect((await retry(99))[0]).toBe(404)
})

test('developers set and see the status, without what the address keeps secret', async () => {
  const { check, respond, ok, call, person, developer, M, P } = await openScene()
  const { id } = await check('qa', { external_url: 'https://me:secret@qa.example/hook?token=secret' })
  const reporter = await person('rita')
  await ok(`POST ${P}/members`, { user_id: reporter.id, access_level: 20 })
  expect((await respond(id, {}, reporter))[0]).toBe(403)
  expect((await call(`GET ${M}/status_checks`, undefined, reporter))[0]).toBe(403)
  expect(JSON.stringify(await respond(id))).not.toContain('secret')
  expect(await ok(`GET ${M}/status_checks`, undefined, developer)).toEqual([
    { id, name: 'qa', external_url: 'https://qa.example/hook', status: 'passed' },
  ])
})

testAtNight('a merge that waits for its pipeline is tried again when a check has passed', async () => {
  const { check, respond, ok, database, M } = await buildScene(openSqlite)
  const { id } = await check('qa')
  const waits = { merge_when_pipeline_succeeds: true }
  await database.updateTable('merge_request').set(waits).execute()
  await respond(id)
  const tasks = await database.selectFrom('merge_request_task').select('kind').execute()
  expect(tasks).toEqual([{ kind: 'merge' }])
  expect(await ok(`GET ${M}`)).toMatchObject(waits)
})
