import { buffer } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import type { ExposedArtifacts } from '../../../../src/coordinator/ci/pipelines/exposed-artifacts/schema.js'
import { openForFile } from '../../../support/lifetime.js'
import { pushPipeline } from '../../support/ci-coordinator.js'
import { EXTERNAL_URL, type Person } from '../../support/test-app.js'
import { zipOf } from '../../support/zip.js'
import { openLogScene } from '../jobs/trace/running-job.js'

const scene = openForFile(openLogScene)

const CI_FILE = `
docs: { script: [make], artifacts: { paths: [docs/], expose_as: Documentation } }
report: { script: [make], artifacts: { paths: [./report.html], expose_as: Report } }
log: { script: [make], artifacts: { paths: [build.log], expose_as: Build log } }
files: { script: [make], artifacts: { paths: [bin], expose_as: Programs } }
both: { script: [make], artifacts: { paths: [bin, docs], expose_as: Everything } }
named: { script: [make], artifacts: { paths: [$FOLDER], expose_as: Named } }
secret: { script: [make], artifacts: { paths: [docs], expose_as: Secret, access: maintainer } }
plain: { script: [make], artifacts: { paths: [docs] } }
none: { script: [make], artifacts: { paths: [docs], expose_as: None } }
`

const FILES = {
  'docs/index.html': 'docs',
  'report.html': 'report',
  'build.log': 'log',
  'bin/app': 'app',
}

test('exposed artifacts are linked to what shows them, for those who may read them', async () => {
  const { coordinator, runner, reporter, stranger } = scene()
  const { project, app } = coordinator
  const pipeline = await pushPipeline(coordinator, CI_FILE)
  const path = `GET /projects/${project.id}/pipelines/${pipeline.id}/exposed_artifacts`
  const listed = async (as: Person) => (await app.call(as, path)).json<ExposedArtifacts[]>()
  expect(await listed(reporter)).toEqual([])
  const archive = await buffer(await zipOf(FILES))
  const ids: Record<string, number> = {}
  for (let left = 9; left > 0; left -= 1) {
    const job = await runner.takeJob()
    ids[job.job_info.name] = job.id
    if (job.job_info.name !== 'none') await runner.upload(job, archive)
    await runner.update(job, 'success')
  }
  const at = (job: string, tail: string) =>
    `${EXTERNAL_URL}/${project.full_path}/-/jobs/${ids[job]}/artifacts/${tail}`
  const shown = (await listed(reporter)).map(({ text, kind, url }) => [text, kind, url])
  expect(shown.sort()).toEqual(
    [
      ['Documentation', 'page', at('docs', 'open/docs/')],
      ['Report', 'page', at('report', 'open/report.html')],
      ['Build log', 'file', at('log', 'file/build.log')],
      ['Programs', 'folder', at('files', 'browse/bin')],
      ['Everything', 'folder', at('both', 'browse')],
      ['Named', 'folder', at('named', 'browse')],
    ].sort(),
  )
  expect((await app.call(stranger, path)).statusCode).toBe(404)
})
