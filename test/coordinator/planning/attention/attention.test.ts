import { expect, test } from 'vitest'

import type { Attention } from '../../../../src/coordinator/planning/attention/schema.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { planningSceneForFile } from '../support/planning-scene.js'

const planningScene = planningSceneForFile()

describeOnDatabase('what waits for a user', (open) => {
  test('are reviews, own merge requests that cannot be merged, and other to-do items', async () => {
    const { call, ok, person, propose, database, P, O, project } = await planningScene(open)
    const mary = await person('mary', P, 30)
    const read = () => ok<Attention>('GET /user/attention', undefined, mary)
    expect(await read()).toEqual({
      manual_jobs: [],
      schedules: [],
      failed_pipelines: [],
      reviews: [],
      merge_requests: [],
      todos: [],
    })
    const reviewed = await propose('a', { reviewer_ids: [mary.id] })
    await propose('b', { title: 'Draft: b', reviewer_ids: [mary.id] })
    const stuck = await propose('c', {}, mary)
    const failed = await propose('d', {}, mary)
    const conflicts = { merge_status: 'cannot_be_merged' } as const
    await database.updateTable('merge_request').set(conflicts).where('id', '=', stuck.id).execute()
    await ok(`POST ${P}/issues`, { title: 'An issue', assignee_ids: [mary.id] })
    await ok(`POST ${O}/issues`, { title: 'Hidden', description: '@mary' })

    const { head_sha } = await database
      .selectFrom('merge_request')
      .select('head_sha')
      .where('id', '=', failed.id)
      .executeTakeFirstOrThrow()
    const { id: pipelineId } = await database
      .insertInto('pipeline')
      .values({
        iid: 1,
        project_id: project,
        user_id: mary.id,
        ref: 'd',
        tag: false,
        sha: head_sha ?? '',
        before_sha: '0'.repeat(40),
        source: 'push',
        status: 'failed',
        protected: false,
        created_at: 1000,
        updated_at: 1000,
      })
      .returning('id')
      .executeTakeFirstOrThrow()

    const found = await read()
    expect(found.reviews).toMatchObject([
      {
        id: reviewed.id,
        title: 'a',
        reference: 'team/app!1',
        author: { username: 'root' },
        project: { id: project },
      },
    ])
    expect(found.merge_requests).toMatchObject([
      { id: failed.id, reason: 'pipeline_failed', pipeline_id: pipelineId },
      { id: stuck.id, reason: 'conflicts', pipeline_id: null },
    ])
    expect(found.todos.map(({ action_name, reference }) => `${action_name} ${reference}`)).toEqual([
      'assigned team/app#1',
      'review_requested team/app!2',
    ])

    await call(`POST ${P}/merge_requests/1/approve`, {}, mary)
    expect((await read()).reviews).toEqual([])
  })
})
