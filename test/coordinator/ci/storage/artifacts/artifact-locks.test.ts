import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { markOutputs } from '../../../../../src/coordinator/ci/engine/job-store.js'
import type { PipelineSource } from '../../../../../src/coordinator/ci/engine/pipeline-source.js'
import { unlockDeletedRefs } from '../../../../../src/coordinator/ci/engine/reports/unlock-deleted-refs.js'
import { retryJob } from '../../../../../src/coordinator/ci/engine/retry/retry.js'
import { Artifacts } from '../../../../../src/coordinator/ci/storage/artifacts/artifacts.js'
import { deleteExpiredArtifacts } from '../../../../../src/coordinator/ci/storage/artifacts/delete-expired.js'
import { FolderBlobStore } from '../../../../../src/coordinator/ci/storage/folder-blob-store.js'
import { describeOnDatabase, type OpenDatabase } from '../../../../support/databases.js'
import { testAtNight } from '../../../../support/nightly.js'
import { tempDir } from '../../../../support/temp-dir.js'
import { fail, openEngine, pipelineOf, reread, succeed, takeJob } from '../../engine/support/engine.js'

async function start(open: OpenDatabase) {
  const engine = await openEngine(open)
  const blobs = new FolderBlobStore(await tempDir())
  const artifacts = new Artifacts(engine.deps.database, blobs, async () => 1000, markOutputs)
  /** A pipeline with one job and its archive, which has expired long ago. */
  const run = async (
    how: 'success' | 'failed',
    ref = 'main',
    refType: 'branch' | 'tag' = 'branch',
    source: PipelineSource = 'push',
  ) => {
    const pipeline = await pipelineOf(engine, 'build: { script: [a] }', { ref, refType, source })
    const taken = await takeJob(engine, 'build')
    const upload = { file_type: 'archive', file_format: 'zip', filename: 'a.zip', expire_at: 1000 } as const
    await artifacts.store(taken.job, upload, Readable.from(['bytes']))
    await (how === 'success' ? succeed(engine, taken) : fail(engine, taken))
    return { pipeline, job: taken.job }
  }
  const sweep = async () => {
    await unlockDeletedRefs(engine.deps)
    await deleteExpiredArtifacts(engine.deps.database, blobs)
    const left = await engine.deps.database
      .selectFrom('job_artifact')
      .innerJoin('job', 'job.id', 'job_artifact.job_id')
      .select('job.pipeline_id')
      .where('blob_key', '!=', '')
      .orderBy('job.pipeline_id')
      .execute()
    return left.map(({ pipeline_id }) => pipeline_id)
  }
  return { engine, artifacts, run, sweep }
}

describeOnDatabase('expired artifacts', (open) => {
  test('stay with the newest successful pipeline of each branch and tag', async () => {
    const { engine, run, sweep } = await start(open)
    engine.repositories.tags.add('main')
    await run('success')
    const newest = await run('success')
    const other = await run('success', 'other')
    const tag = await run('success', 'main', 'tag')
    await run('failed')
    await run('failed', 'third')
    expect(await sweep()).toEqual([newest.pipeline.id, other.pipeline.id, tag.pipeline.id])
    await run('success', 'other')
    expect(await sweep()).toHaveLength(3)
    expect(await sweep()).not.toContain(other.pipeline.id)
  })

  testAtNight('do not go back to a pipeline that succeeds after a newer one', async () => {
    const { engine, run, sweep } = await start(open)
    const older = await run('failed')
    const newer = await run('success')
    await retryJob(engine.deps, older.job, engine.user)
    await succeed(engine, await takeJob(engine, 'build'))
    expect((await reread(engine, older.pipeline)).status).toBe('success')
    expect(await sweep()).toEqual([newer.pipeline.id])
  })

  testAtNight('stay while their pipeline runs again, and go when that fails', async () => {
    const { engine, run, sweep } = await start(open)
    const { pipeline, job } = await run('success')
    await retryJob(engine.deps, job, engine.user)
    expect(await sweep()).toEqual([pipeline.id])
    await fail(engine, await takeJob(engine, 'build'))
    expect(await sweep()).toEqual([])
  })

  testAtNight('go with their branch', async () => {
    const { engine, run, sweep } = await start(open)
    const main = await run('success')
    await run('success', 'feature')
    engine.repositories.missingRefs.add('refs/heads/feature')
    expect(await sweep()).toEqual([main.pipeline.id])
  })

  testAtNight('go where the project does not want the latest ones kept', async () => {
    const { engine, run, sweep } = await start(open)
    await engine.deps.database.updateTable('project').set({ keep_latest_artifact: false }).execute()
    await run('success')
    expect(await sweep()).toEqual([])
  })

  testAtNight('of child pipelines stay with those of their parent', async () => {
    const { engine, run, sweep } = await start(open)
    const parent = await run('success')
    const child = await run('failed', 'main', 'branch', 'parent_pipeline')
    await engine.deps.database
      .insertInto('downstream_pipeline')
      .values({
        pipeline_id: child.pipeline.id,
        kind: 'child',
        strategy: null,
        upstream_job_id: parent.job.id,
        upstream_pipeline_id: parent.pipeline.id,
        upstream_project_id: engine.project.id,
        depth: 1,
        root_id: parent.pipeline.id,
        hierarchy_root_id: parent.pipeline.id,
        created_at: Date.now(),
      })
      .execute()
    expect(await sweep()).toEqual([parent.pipeline.id, child.pipeline.id])
    const next = await run('success')
    expect(await sweep()).toEqual([next.pipeline.id])
  })

  test('remain when a user has kept them', async () => {
    const { artifacts, run, sweep } = await start(open)
    const kept = await run('failed')
    await artifacts.keep(kept.job.id)
    expect(await sweep()).toEqual([kept.pipeline.id])
  })
})
