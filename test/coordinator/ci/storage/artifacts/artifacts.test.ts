import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { markOutputs } from '../../../../../src/coordinator/ci/engine/job-store.js'
import {
  Artifacts,
  type ArtifactUpload,
} from '../../../../../src/coordinator/ci/storage/artifacts/artifacts.js'
import { deleteExpiredArtifacts } from '../../../../../src/coordinator/ci/storage/artifacts/delete-expired.js'
import { Caches } from '../../../../../src/coordinator/ci/storage/caches/caches.js'
import { deleteProjectFiles } from '../../../../../src/coordinator/ci/storage/delete-project-files.js'
import { FolderBlobStore } from '../../../../../src/coordinator/ci/storage/folder-blob-store.js'
import { PartialUploads } from '../../../../../src/coordinator/ci/storage/partial-uploads.js'
import { Traces } from '../../../../../src/coordinator/ci/storage/traces.js'
import { SameLengthMasker } from '../../../../../src/masking/same-length-masker.js'
import { describeOnDatabase, type OpenDatabase } from '../../../../support/databases.js'
import { tempDir } from '../../../../support/temp-dir.js'
import { zipOf } from '../../../support/zip.js'
import { jobsOf, openEngine, pipelineOf, succeed, takeJob } from '../../engine/support/engine.js'

const archive: ArtifactUpload = {
  file_type: 'archive',
  file_format: 'zip',
  filename: 'artifacts.zip',
  expire_at: null,
}
const CI_FILE = 'build: { script: [a], artifacts: { paths: [a] } }'

async function openArtifacts(open: OpenDatabase) {
  const engine = await openEngine(open)
  const root = await tempDir()
  const blobs = new FolderBlobStore(root)
  const artifacts = new Artifacts(engine.store.database, blobs, async () => 1000, markOutputs)
  const addJob = async () => {
    const [job] = await jobsOf(engine, await pipelineOf(engine, CI_FILE))
    if (!job) throw new Error('The pipeline has no job')
    return job
  }
  return { engine, root, blobs, artifacts, addJob }
}

describeOnDatabase('artifacts', (open) => {
  test('one artifact of each type is kept per job', async () => {
    const { artifacts, addJob } = await openArtifacts(open)
    const job = await addJob()
    const first = await artifacts.store(job, archive, Readable.from(['one']))
    expect(first).toMatchObject({ kind: 'stored', artifact: { size: 3, filename: 'artifacts.zip' } })
    expect(await artifacts.store(job, archive, Readable.from(['one']))).toEqual({ kind: 'same' })
    expect(await artifacts.store(job, archive, Readable.from(['two']))).toEqual({ kind: 'different' })
    const report = { ...archive, file_type: 'junit' }
    expect(await artifacts.store(job, report, Readable.from(['two']))).toMatchObject({ kind: 'stored' })
    const found = await artifacts.find(job.id)
    expect(found && (await text(await artifacts.open(found)))).toBe('one')
    expect((await artifacts.ofJobs([job.id])).map(({ file_type }) => file_type)).toEqual(['archive', 'junit'])
  })

  test('expired artifacts are deleted, their expiry date is kept', async () => {
    const { engine, blobs, artifacts, addJob } = await openArtifacts(open)
    const job = await addJob()
    await artifacts.store(job, { ...archive, expire_at: 1000 }, Readable.from(['one']))
    const kept = await artifacts.find(job.id)
    expect(await deleteExpiredArtifacts(engine.store.database, blobs, 999)).toBe(0)
    expect(await deleteExpiredArtifacts(engine.store.database, blobs, 1000)).toBe(1)
    expect(await deleteExpiredArtifacts(engine.store.database, blobs, 1000)).toBe(0)
    expect(await artifacts.find(job.id)).toBeUndefined()
    expect(await artifacts.ofJobs([job.id])).toEqual([])
    expect(await blobs.exists(kept?.blob_key ?? '')).toBe(false)
    const rows = await engine.store.database.selectFrom('job_artifact').selectAll().execute()
    expect(rows).toMatchObject([{ job_id: job.id, blob_key: '', expire_at: 1000 }])
  })

  test('kept artifacts do not expire', async () => {
    const { engine, blobs, artifacts, addJob } = await openArtifacts(open)
    const job = await addJob()
    expect(await artifacts.keep(job.id)).toBe(false)
    await artifacts.store(job, { ...archive, expire_at: 1000 }, Readable.from(['one']))
    expect(await artifacts.keep(job.id)).toBe(true)
    expect(await deleteExpiredArtifacts(engine.store.database, blobs)).toBe(0)
  })

  test('the newest successful pipeline of a ref keeps its expired artifacts', async () => {
    const { engine, blobs, artifacts, addJob } = await openArtifacts(open)
    const { database } = engine.store
    for (let round = 0; round < 2; round++) {
      const job = await addJob()
      await artifacts.store(job, { ...archive, expire_at: 1000 }, Readable.from(['one']))
      await succeed(engine, await takeJob(engine, 'build'))
    }
    expect(await deleteExpiredArtifacts(database, blobs)).toBe(1)
    const left = await database
      .selectFrom('job_artifact')
      .innerJoin('job', 'job.id', 'job_artifact.job_id')
      .select('job.pipeline_id')
      .where('blob_key', '!=', '')
      .execute()
    const newest = await database.selectFrom('pipeline').select('id').orderBy('id', 'desc').execute()
    expect(left).toEqual([{ pipeline_id: newest[0]?.id }])
  })

  test('deleting a job or a project takes its files away', async () => {
    const { engine, root, blobs, artifacts, addJob } = await openArtifacts(open)
    const traces = new Traces(`${root}/traces`, 1000)
    const [first, second] = [await addJob(), await addJob()]
    for (const job of [first, second]) {
      await artifacts.store(job, archive, Readable.from(['one']))
      await traces.append(job, 0, Readable.from(['log']), new SameLengthMasker([]))
    }
    await artifacts.deleteOfJob(first)
    const kept = await artifacts.find(second.id)
    expect(await artifacts.find(first.id)).toBeUndefined()
    expect(await blobs.exists(kept?.blob_key ?? '')).toBe(true)
    const uploads = new PartialUploads(`${root}/uploads`)
    const place = { projectId: engine.project.id, jobId: second.id, name: 'archive' }
    await uploads.append(place, 0, Readable.from([Buffer.from('half')]))
    const caches = new Caches(engine.store.database, blobs, { maxBytes: 1000, projectMaxBytes: 1000 })
    await deleteProjectFiles({ artifacts, caches, uploads, traces }, engine.project.id)
    expect(await blobs.exists(kept?.blob_key ?? '')).toBe(false)
    expect(await traces.size(second)).toBe(0)
    expect(await uploads.size(place)).toBe(0)
  })

  test('one file is read out of an archive', async () => {
    const { artifacts, addJob } = await openArtifacts(open)
    const job = await addJob()
    await artifacts.store(job, archive, await zipOf({ 'dist/a.txt': 'first', 'dist/b.txt': 'second' }))
    const stored = await artifacts.find(job.id)
    if (!stored) throw new Error('It was not stored')
    const result = await artifacts.openEntry(stored, 'dist/b.txt')
    expect(result).toMatchObject({ kind: 'found', entry: { size: 6 } })
    expect(result.kind === 'found' && (await text(result.entry.body))).toBe('second')
    for (const missing of ['dist', 'a.txt', 'dist/c.txt', 'dist/B.txt']) {
      expect(await artifacts.openEntry(stored, missing)).toEqual({ kind: 'missing' })
    }
    for (const invalid of ['../a', 'dist/../a', '/etc/passwd', 'dist//b.txt', './dist/b.txt', '']) {
      expect(await artifacts.openEntry(stored, invalid)).toEqual({ kind: 'invalid-path' })
    }
  })

  test('an archive that is none has no files', async () => {
    const { artifacts, addJob } = await openArtifacts(open)
    const job = await addJob()
    await artifacts.store(job, archive, Readable.from(['not a zip at all, whatever its name says']))
    const stored = await artifacts.find(job.id)
    expect(stored && (await artifacts.openEntry(stored, 'a'))).toEqual({ kind: 'missing' })
  })
})
