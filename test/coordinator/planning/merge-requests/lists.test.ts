import { expect, test } from 'vitest'

import { storeMergeRequestsOf } from '../../../../src/coordinator/ci/engine/deployments/deployment-merge-request-store.js'
import { insertDeployment } from '../../../../src/coordinator/ci/engine/deployments/deployment-store.js'
import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import type { MergeRequestRow } from '../../../../src/coordinator/planning/stores/merge-request-store.js'
import { chunks } from '../../../../src/lib/chunks.js'
import { describeOnDatabase, describeOnEachDatabase } from '../../../support/databases.js'
import { IS_NIGHTLY, testAtNight } from '../../../support/nightly.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import type { Person } from '../../support/test-app.js'
import { type Listed, openMergeRequestScene } from './scene.js'

const openScene = sceneForFile(openMergeRequestScene)

describeOnEachDatabase('lists of merge requests', (open) => {
  test('find them by every filter, in each order', async () => {
    const { call, ok, make, person, titles, database, P, group } = await openScene(open)
    const [ann, bob] = [await person('ann', P, 30), await person('bob', P, 30)]
    const { id: milestone_id } = await ok(`POST ${P}/milestones`, { title: 'v1', due_date: '2030-01-01' })
    for (const [name, priority] of [
      ['x', 2],
      ['y', 1],
    ])
      await ok(`POST ${P}/labels`, { name, color: 'red', priority })
    await make({ title: 'Draft: c', description: 'needle', source_branch: 'b0', milestone_id }, ann)
    await make({ title: 'b', source_branch: 'b1', assignee_ids: [ann.id], labels: 'x,y' }, ann)
    await make({ title: 'needle', source_branch: 'b2', reviewer_ids: [bob.id], labels: 'x' })
    await make({ title: 'd', source_branch: 'b3', target_branch: 'next' })
    const ids = await database.selectFrom('merge_request').select(['id', 'iid']).orderBy('iid').execute()
    const set = (iid: number, changes: object) =>
      database
        .updateTable('merge_request')
        .set(changes)
        .where('id', '=', ids[iid - 1]?.id ?? 0)
        .execute()
    await set(1, { created_at: 1000, updated_at: 9000, upvotes: 2 })
    await set(2, { created_at: 2000, updated_at: 8000, state: 'closed' })
    await set(3, { created_at: 3000, updated_at: 6000, state: 'merged', merged_at: 100 })
    await set(4, { created_at: 4000, updated_at: 7000, state: 'merged', merged_at: 200, upvotes: 1 })
    await database
      .insertInto('merge_request_approval')
      .values({ merge_request_id: ids[3]?.id ?? 0, user_id: bob.id, created_at: 1 })
      .execute()

    await set(2, { state: 'opened' })
    expect(await ok('GET /user_counts', undefined, ann)).toMatchObject({
      merge_requests: 1,
      assigned_merge_requests: 1,
      review_requested_merge_requests: 0,
    })
    await set(2, { state: 'closed' })
    await set(3, { state: 'opened' })
    expect(await ok('GET /user_counts', undefined, bob)).toMatchObject({
      assigned_merge_requests: 0,
      review_requested_merge_requests: 1,
    })
    await set(3, { state: 'merged' })

    const found: Record<string, string[]> = {
      '': ['d', 'needle', 'b', 'Draft: c'],
      'state=opened': ['Draft: c'],
      'state=closed': ['b'],
      'state=merged': ['d', 'needle'],
      'state=locked': [],
      'state=all&sort=asc': ['Draft: c', 'b', 'needle', 'd'],
      'order_by=updated_at': ['Draft: c', 'b', 'd', 'needle'],
      'order_by=title&sort=asc': ['Draft: c', 'b', 'd', 'needle'],
      'order_by=merged_at': ['d', 'needle', 'b', 'Draft: c'],
      'order_by=merged_at&sort=asc': ['needle', 'd', 'Draft: c', 'b'],
      'order_by=popularity': ['Draft: c', 'd', 'needle', 'b'],
      'order_by=milestone_due': ['Draft: c', 'd', 'needle', 'b'],
      'order_by=label_priority': ['needle', 'b', 'd', 'Draft: c'],
      'order_by=label_priority&sort=asc': ['b', 'needle', 'Draft: c', 'd'],
      'order_by=priority&sort=asc&per_page=2': ['Draft: c', 'b'],
      'order_by=priority': ['Draft: c', 'needle', 'b', 'd'],
      [`author_id=${ann.id}`]: ['b', 'Draft: c'],
      'author_username=ANN': ['b', 'Draft: c'],
      'assignee_username=ann': ['b'],
      [`assignee_id=${ann.id}`]: ['b'],
      'assignee_id=Any': ['b'],
      'assignee_id=None': ['d', 'needle', 'Draft: c'],
      'assignee_id=0': ['d', 'needle', 'Draft: c'],
      [`reviewer_id=${bob.id}`]: ['needle'],
      'reviewer_id=Any': ['needle'],
      'reviewer_id=None': ['d', 'b', 'Draft: c'],
      'reviewer_username=bob': ['needle'],
      [`approved_by_ids[]=${bob.id}`]: ['d'],
      [`approved_by_ids[]=${bob.id}&approved_by_ids[]=${ann.id}`]: [],
      'approver_ids=None': ['d', 'needle', 'b', 'Draft: c'],
      'approver_ids=Any': [],
      [`approver_ids[]=${bob.id}`]: [],
      'approved_by_ids=Any': ['d'],
      'approved_by_ids=None': ['needle', 'b', 'Draft: c'],
      'labels=x': ['needle', 'b'],
      'labels=x,y': ['b'],
      'labels[]=x&labels[]=y': ['b'],
      'labels=None': ['d', 'Draft: c'],
      'labels=Any': ['needle', 'b'],
      'milestone=v1': ['Draft: c'],
      'milestone=None': ['d', 'needle', 'b'],
      'milestone=Any': ['Draft: c'],
      'source_branch=b2': ['needle'],
      'target_branch=next': ['d'],
      'search=NEEDLE': ['needle', 'Draft: c'],
      'search=needle&in=title': ['needle'],
      'search=needle&in=description': ['Draft: c'],
      'wip=yes': ['Draft: c'],
      'wip=no': ['d', 'needle', 'b'],
      'created_after=1970-01-01T00:00:03Z': ['d', 'needle'],
      'created_before=1970-01-01T00:00:02Z': ['b', 'Draft: c'],
      'updated_after=1970-01-01T00:00:08Z': ['b', 'Draft: c'],
      'updated_before=1970-01-01T00:00:06Z': ['needle'],
      'not[author_username]=ann': ['d', 'needle'],
      'author_username=nobody': [],
      'not[author_username]=nobody': ['d', 'needle', 'b', 'Draft: c'],
      [`not[assignee_id]=${ann.id}`]: ['d', 'needle', 'Draft: c'],
      [`not[reviewer_id]=${bob.id}`]: ['d', 'b', 'Draft: c'],
      'not[labels]=y': ['d', 'needle', 'Draft: c'],
      'not[milestone]=v1': ['d', 'needle', 'b'],
      'not[target_branch]=main': ['d'],
      'not[search]=needle': ['d', 'b'],
      'scope=created_by_me': ['d', 'needle'],
      'scope=assigned_to_me': [],
    }
    const lists = [`${P}/merge_requests`, `/groups/${group}/merge_requests`, '/merge_requests?scope=all']
    for (const [index, [query, expected]] of Object.entries(found).entries()) {
      const asked = lists.filter((list) => !list.includes('?') || !query.includes('scope'))
      // They share their conditions and orders: on a push, they take turns.
      for (const list of IS_NIGHTLY ? asked : [asked[index % asked.length]!]) {
        const path = `${list}${list.includes('?') ? '&' : '?'}${query}`
        expect([path, await titles(path)]).toEqual([path, expected])
      }
    }
    const P_ = `${P}/merge_requests`
    expect(await titles(`${P_}?iids[]=1&iids[]=4`)).toEqual(['d', 'Draft: c'])
    expect(await titles('/merge_requests', ann)).toEqual(['b', 'Draft: c'])
    expect(await titles('/merge_requests?scope=assigned_to_me', ann)).toEqual(['b'])
    expect(await titles('/merge_requests?scope=reviews_for_me', bob)).toEqual(['needle'])
    expect((await call(`GET ${P_}?author_id=1&author_username=x`))[0]).toBe(400)
    expect((await call(`GET ${P_}?scope=created_by_me`, undefined, null))[0]).toBe(401)
  })
})

describeOnEachDatabase('lists of merge requests', (open, testOnOne) => {
  testAtNight('find those that successful deployments have brought, by environment and time', async () => {
    const { ok, call, make, person, titles, database, root, project, P, group } = await openScene(open)
    const titled: Record<string, number> = {}
    for (const [index, title] of ['a', 'b', 'c', 'd'].entries())
      titled[title] = (await make({ title, source_branch: `b${index}` })).id
    const environments: Record<string, number> = {}
    let iid = 0
    const deploy = async (name: string, finished_at: number, brought: string[]) => {
      const row = { project_id: project, name, slug: name, created_at: 0, updated_at: 0 }
      environments[name] ??= (
        await database
          .insertInto('environment')
          .values({ ...row, tier: 'other' })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
      iid += 1
      const deployment = {
        iid,
        project_id: project,
        environment_id: environments[name],
        user_id: root.id,
        ref: 'main',
        tag: false,
        sha: 'a',
        status: 'success' as const,
        created_at: 0,
        updated_at: 0,
        finished_at,
      }
      const stored = await inTransaction(database, (tx) => insertDeployment(tx, deployment))
      const ids = brought.map((title) => titled[title] ?? 0)
      await storeMergeRequestsOf(database, { id: 0 }, stored, ids)
    }
    await deploy('staging', 1000, ['a', 'b', 'c'])
    await deploy('production', 2000, ['a'])
    await deploy('production', 4000, ['b'])
    const at = (second: number) => `1970-01-01T00:00:0${second}Z`
    const found: Record<string, string[]> = {
      'environment=staging': ['c', 'b', 'a'],
      'environment=production': ['b', 'a'],
      'environment=PRODUCTION': [],
      'environment=none': [],
      'environment=staging&source_branch=b1': ['b'],
      'environment=production&order_by=title&sort=asc': ['a', 'b'],
      [`deployed_after=${at(2)}`]: ['b', 'a'],
      [`deployed_after=${at(3)}`]: ['b'],
      [`deployed_before=${at(1)}`]: ['c', 'b', 'a'],
      [`deployed_after=${at(2)}&deployed_before=${at(2)}`]: ['a'],
      // By one deployment, not by one to the environment and another in that time.
      [`environment=production&deployed_before=${at(3)}`]: ['a'],
      [`environment=staging&deployed_after=${at(2)}`]: [],
    }
    const lists = [`${P}/merge_requests?`, `/groups/${group}/merge_requests?`, '/merge_requests?scope=all&']
    for (const [query, expected] of Object.entries(found)) {
      for (const list of lists)
        expect([list, query, await titles(`${list}${query}`)]).toEqual([list, query, expected])
    }
    expect((await call(`GET ${P}/merge_requests?deployed_after=yesterday`))[0]).toBe(400)
    await ok(`PUT ${P}`, { environments_access_level: 'private' })
    const [stranger, member] = [await person('stranger'), await person('member', P, 20)]
    for (const list of lists) {
      expect([list, await titles(`${list}environment=production`, stranger)]).toEqual([list, []])
      expect([list, await titles(`${list}environment=production`, member)]).toEqual([list, ['b', 'a']])
    }
  })

  testOnOne('tell how far each is, as far as the caller may see', async () => {
    const { ok, make, person, database, root, project, P, group } = await openScene(open)
    const ann = await person('ann', P, 30)
    const visitor = await person('visitor')
    const { id } = await make({ assignee_ids: [ann.id] })
    const merged = { state: 'merged' as const, merge_error: 'It was late' }
    await database.updateTable('merge_request').set(merged).where('id', '=', id).execute()
    const times = { created_at: 1000, updated_at: 4000, started_at: 2000, finished_at: 3000 }
    const { id: pipelineId } = await database
      .insertInto('pipeline')
      .values({
        iid: 1,
        project_id: project,
        user_id: root.id,
        ref: 'feature',
        tag: false,
        sha: '0'.repeat(40),
        before_sha: '0'.repeat(40),
        source: 'push',
        status: 'success',
        protected: false,
        ...times,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: environment_id } = await database
      .insertInto('environment')
      .values({
        project_id: project,
        name: 'live',
        slug: 'live',
        created_at: 0,
        updated_at: 0,
        tier: 'production',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const row = { project_id: project, environment_id, user_id: root.id, ref: 'main', tag: false, sha: 'a' }
    const success = { ...row, status: 'success' as const, created_at: 0, updated_at: 0 }
    for (const [index, finished_at] of [6000, 5000].entries()) {
      const deployment = { ...success, iid: index + 1, finished_at }
      const stored = await inTransaction(database, (tx) => insertDeployment(tx, deployment))
      await storeMergeRequestsOf(database, { id: 0 }, stored, [id])
    }
    const facts = {
      changes_count: '0',
      diff_refs: { base_sha: '0'.repeat(40), head_sha: '0'.repeat(40), start_sha: '0'.repeat(40) },
      merge_error: 'It was late',
    }
    const hidden = {
      pipeline: null,
      latest_build_started_at: null,
      latest_build_finished_at: null,
      first_deployed_to_production_at: null,
    }
    const shown = {
      pipeline: {
        id: pipelineId,
        status: 'success',
        web_url: expect.stringContaining('/team/app/-/pipelines/') as unknown,
      },
      latest_build_started_at: '1970-01-01T00:00:02.000Z',
      latest_build_finished_at: '1970-01-01T00:00:03.000Z',
      first_deployed_to_production_at: '1970-01-01T00:00:05.000Z',
    }
    const lists = [`${P}/merge_requests`, `/groups/${group}/merge_requests`, '/merge_requests?scope=all']
    const single = `GET ${P}/merge_requests/1`
    for (const list of lists)
      expect(await ok(`GET ${list}`, undefined, ann)).toMatchObject([
        { ...facts, ...shown, subscribed: true },
      ])
    expect(await ok(single, undefined, ann)).toMatchObject({ ...facts, ...shown, subscribed: true })
    await ok(`PUT ${P}`, { environments_access_level: 'private', public_jobs: false })
    for (const list of lists)
      expect(await ok(`GET ${list}`, undefined, visitor)).toMatchObject([
        { ...facts, ...hidden, subscribed: false },
      ])
    expect(await ok(single, undefined, visitor)).toMatchObject({ ...facts, ...hidden, subscribed: false })
    await ok(`POST ${P}/merge_requests/1/unsubscribe`, {}, ann)
    expect(await ok(`GET ${P}/merge_requests`, undefined, ann)).toMatchObject([{ subscribed: false }])
  })

  testAtNight('find those among many that were deployed', async () => {
    const { make, ok, call, database, root, project, P } = await openScene(open)
    await make({ title: 'first', source_branch: 'b0' })
    const [{ id: _, iid: __, ...row }] = (await database
      .selectFrom('merge_request')
      .selectAll()
      .execute()) as [MergeRequestRow]
    const values = Array.from({ length: 1100 }, (_, index) => ({
      ...row,
      iid: index + 2,
      title: `t${index}`,
      state: 'merged' as const,
    }))
    const ids: number[] = []
    for (const some of chunks(values, 100)) {
      const inserted = await database.insertInto('merge_request').values(some).returning('id').execute()
      ids.push(...inserted.map(({ id }) => id))
    }
    const environment = { project_id: project, name: 'p', slug: 'p', created_at: 0, updated_at: 0 }
    const { id: environment_id } = await database
      .insertInto('environment')
      .values({ ...environment, tier: 'other' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const deployment = {
      iid: 1,
      project_id: project,
      environment_id,
      user_id: root.id,
      ref: 'main',
      tag: false,
      sha: 'a',
      status: 'success' as const,
      created_at: 0,
      updated_at: 0,
      finished_at: 1,
    }
    const stored = await inTransaction(database, (tx) => insertDeployment(tx, deployment))
    await storeMergeRequestsOf(database, { id: 0 }, stored, ids)
    const path = `${P}/merge_requests?environment=p&order_by=title&sort=asc&per_page=2`
    expect((await ok<Listed[]>(`GET ${path}`)).map(({ title }) => title)).toEqual(['t0', 't1'])
    const all = '/merge_requests?scope=all&environment=p&per_page=100&page=11'
    expect(await call(`GET ${all}`)).toMatchObject([200, { length: 100 }])
    expect(await call(`GET ${all.replace('=11', '=12')}`)).toEqual([200, []])
  })
})

describeOnDatabase('lists of merge requests', (open) => {
  test('show the record without what only a single one has, or less', async () => {
    const { ok, make, P, group } = await openScene(open)
    const { id: labelId } = await ok(`POST ${P}/labels`, { name: 'x', color: '#fff' })
    await make({ labels: 'x' })
    const single = await ok<Record<string, unknown>>(`GET ${P}/merge_requests/1`)
    const alone = [...['first_contribution', 'user', 'head_pipeline']]
    const record = Object.fromEntries(Object.entries(single).filter(([key]) => !alone.includes(key)))
    expect(await ok(`GET ${P}/merge_requests`)).toEqual([record])
    expect(await ok(`GET /groups/${group}/merge_requests`)).toEqual([
      { ...record, references: { short: '!1', relative: 'app!1', full: 'team/app!1' } },
    ])
    expect(await ok('GET /merge_requests')).toEqual([
      { ...record, references: { short: '!1', relative: 'team/app!1', full: 'team/app!1' } },
    ])
    const names = [
      'id',
      'iid',
      'project_id',
      'title',
      'description',
      'state',
      'created_at',
      'updated_at',
      'web_url',
    ]
    expect(await ok(`GET ${P}/merge_requests?view=simple`)).toEqual([
      Object.fromEntries(names.map((name) => [name, record[name]])),
    ])
    const [detailed] = await ok<{ labels: unknown[] }[]>(`GET ${P}/merge_requests?with_labels_details=true`)
    expect(detailed?.labels).toEqual([
      {
        id: labelId,
        name: 'x',
        color: '#fff',
        text_color: '#1F1E24',
        description: null,
        description_html: '',
      },
    ])
  })

  test('leave out what the caller may not see, and archived projects', async () => {
    const { call, ok, make, person, titles, P, group } = await openScene(open)
    const stranger = await person('stranger')
    const [guest, reporter] = [await person('guest', P, 10), await person('reporter', P, 20)]
    await make({ title: 'x' })
    const lists = [`/groups/${group}/merge_requests`, '/merge_requests?scope=all']
    const seen = async (as: Person) => {
      const each = await Promise.all(lists.map((list) => titles(list, as)))
      expect(each[0]).toEqual(each[1])
      return each[0]?.length
    }
    const all = async () => [await seen(stranger), await seen(guest), await seen(reporter)]
    expect(await all()).toEqual([1, 1, 1])
    await ok(`PUT ${P}`, { merge_requests_access_level: 'private' })
    expect(await all()).toEqual([0, 1, 1])
    await ok(`PUT ${P}`, { visibility: 'private' })
    expect((await call(`GET /groups/${group}/merge_requests`, undefined, guest))[0]).toBe(200)
    expect(await all()).toEqual([0, 0, 1])
    await ok(`PUT ${P}`, { repository_access_level: 'disabled' })
    expect(await all()).toEqual([0, 0, 0])
    await ok(`PUT ${P}`, { repository_access_level: 'enabled' })
    await ok(`POST ${P}/archive`)
    expect(await seen(reporter)).toBe(0)
    expect(await titles(`/groups/${group}/merge_requests?non_archived=false`, reporter)).toEqual(['x'])
    expect(await titles(`${P}/merge_requests`, reporter)).toEqual(['x'])
  })

  test('are paged by keyset', async () => {
    const { ok, make, P } = await openScene(open)
    for (const index of [0, 1, 2]) await make({ title: `t${index}`, source_branch: `b${index}` })
    const path = `GET ${P}/merge_requests?pagination=keyset&order_by=created_at&per_page=2`
    const first = await ok<Listed[]>(path)
    expect(first.map(({ title }) => title)).toEqual(['t2', 't1'])
  })
})
