import { Readable } from 'node:stream'

import type { Insertable } from 'kysely'
import { expect, test } from 'vitest'

import type { CompositeStatus, JobTable } from '../../../../src/coordinator/database/tables/pipelines.js'
import { inTransaction, type Transaction } from '../../../../src/coordinator/database/transaction.js'
import { findNotices } from '../../../../src/coordinator/integrations/mail/notice-store.js'
import {
  noticePipelines,
  writePipelineMails,
} from '../../../../src/coordinator/integrations/mail/pipeline-mails.js'
import { logFailureForUser } from '../../../../src/coordinator/start/services/log-excerpts.js'
import { SameLengthMasker } from '../../../../src/masking/same-length-masker.js'
import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { openPlanningScene } from '../../planning/support/planning-scene.js'
import { EXTERNAL_URL } from '../../support/test-app.js'

const NO_SECRETS = new SameLengthMasker([])
const MAIL = { url: 'smtp://127.0.0.1:1', from: { name: 'Switchyard', address: 'ci@example.com' } }

/** A project in which Ada starts pipelines; no mail leaves. */
async function openPipelines(open: OpenDatabase) {
  const scene = await openPlanningScene(open, { settings: { mail: MAIL } })
  const { database, project, person, P, services } = scene
  const logFailure = logFailureForUser(services)
  const ada = await person('ada', P, 30)
  let iid = 0
  /** Inserts an ended pipeline with one job, and returns the mails about it. */
  const end = async (
    status: 'success' | 'failed',
    { ref = 'main', source = 'push', log = '', debug_trace = false } = {},
  ) => {
    const times = { created_at: 1, updated_at: 1, queued_at: null, started_at: null, finished_at: 2 }
    const id = await inTransaction(database, async (tx) => {
      const pipeline = await tx
        .insertInto('pipeline')
        .values({
          iid: ++iid,
          project_id: project,
          user_id: ada.id,
          ref,
          tag: false,
          sha: 'a'.repeat(40),
          before_sha: '0'.repeat(40),
          source,
          status: status as CompositeStatus,
          protected: false,
          created_at: times.created_at,
          updated_at: times.updated_at,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const job = await insertJob(tx, {
        pipeline_id: pipeline.id,
        project_id: project,
        user_id: ada.id,
        status,
        ref,
        debug_trace,
      })
      if (log !== '') await services.traces.append(job, 0, Readable.from([Buffer.from(log)]), NO_SECRETS)
      await noticePipelines(tx, {
        jobs: [],
        deployments: [],
        others: { jobs: [], pipelines: [] },
        deletedPipelines: [],
        pipelines: [{ id: pipeline.id, status }],
      })
      return pipeline.id
    })
    const notices = (await findNotices(database, 100)).filter(({ facts }) => 'id' in facts && facts.id === id)
    const mails = await Promise.all(
      notices.map((notice) =>
        writePipelineMails({ database, externalUrl: EXTERNAL_URL, logFailure }, notice),
      ),
    )
    return mails.flat()
  }
  const subjects = async (...ended: Parameters<typeof end>) =>
    (await end(...ended)).map(({ to, subject }) => `${to.address}: ${subject}`)
  return { ...scene, ada, end, subjects }
}

async function insertJob(
  tx: Transaction,
  values: Pick<Insertable<JobTable>, 'pipeline_id' | 'project_id' | 'user_id' | 'status' | 'ref'> & {
    debug_trace: boolean
  },
) {
  const stage = await tx
    .insertInto('stage')
    .values({ pipeline_id: values.pipeline_id, name: 'test', position: 0, status: 'failed' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return tx
    .insertInto('job')
    .values({
      ...values,
      stage_id: stage.id,
      stage: 'test',
      stage_index: 0,
      name: 'unit <1>',
      when: 'on_success',
      allow_failure: false,
      scheduling_type: 'stage',
      options: '{}',
      yaml_variables: '[]',
      tag_list: '[]',
      tag: false,
      protected: false,
      created_at: 1,
      updated_at: 1,
    })
    .returning(['id', 'project_id'])
    .executeTakeFirstOrThrow()
}

describeOnDatabase('mails about pipelines', (open) => {
  test('tell who started it that it failed, and that the next one of the ref passed', async () => {
    const { end, subjects } = await openPipelines(open)
    expect(await subjects('success')).toEqual([])
    const [failed] = await end('failed')
    expect(failed).toMatchObject({
      to: { name: 'ada', address: 'ada@example.com' },
      subject: 'app | Failed pipeline for main | aaaaaaaa',
      headers: { 'X-GitLab-Pipeline-Status': 'failed', 'X-GitLab-Project-Path': 'team/app' },
    })
    expect(failed?.text).toContain(`View this pipeline: ${EXTERNAL_URL}/team/app/-/pipelines/`)
    expect(await subjects('success', { ref: 'other' })).toEqual([])
    expect(await subjects('success')).toEqual(['ada@example.com: app | Fixed pipeline for main | aaaaaaaa'])
    expect(await subjects('success')).toEqual([])
    expect(await subjects('failed', { source: 'parent_pipeline' })).toEqual([])
  })

  test('have the lines of the log that say why a job failed, escaped, for those who may read it', async () => {
    const { end, database, ada } = await openPipelines(open)
    const log = 'first\n\x1b[31m<script>alert(1)</script>\x1b[0m\nERROR: Job failed: exit code 1\n'
    const [failed] = await end('failed', { log })
    const shown = 'unit <1>:\nfirst\n<script>alert(1)</script>\nERROR: Job failed: exit code 1'
    expect(failed?.text).toContain(`\n\n${shown}\n\n`)
    expect(failed?.html).toContain('unit &lt;1&gt;:\nfirst\n&lt;script&gt;alert(1)&lt;/script&gt;\nERROR')
    const [debugged] = await end('failed', { log, debug_trace: true })
    expect(debugged?.text).toContain('ERROR: Job failed')
    await database.updateTable('member').set({ access_level: 20 }).where('user_id', '=', ada.id).execute()
    expect((await end('failed', { log, debug_trace: true }))[0]?.text).not.toContain('ERROR')
    expect((await end('failed', { log }))[0]?.text).toContain('ERROR')
  })

  testAtNight('follow the notification settings', async () => {
    const { ok, P, ada, subjects } = await openPipelines(open)
    const set = (settings: object) => ok(`PUT ${P}/notification_settings`, settings, ada)
    await set({ level: 'mention' })
    expect(await subjects('failed')).toEqual([])
    await set({ level: 'custom', success_pipeline: true })
    expect(await subjects('failed')).toEqual([])
    expect(await subjects('success')).toEqual([])
    expect(await subjects('success')).toHaveLength(1)
  })
})
