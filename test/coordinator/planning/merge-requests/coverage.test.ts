import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { mergeSceneForFile, withLine } from './git-scene.js'

const openScene = mergeSceneForFile()

const CI_FILE = 'unit:\n  script: make unit\nlint:\n  script: make lint\n'

function cobertura(hits: Record<string, number>): Buffer {
  const lines = Object.entries(hits).map(([line, count]) => `<line number="${line}" hits="${count}"/>`)
  const classes = ['a.txt', 'old.txt'].map(
    (file) => `<class filename="${file}"><lines>${lines.join('')}</lines></class>`,
  )
  return gzipSync(`<coverage><classes>${classes.join('')}</classes></coverage>`)
}

test('the coverage of changed files is that of all reports of the head pipeline', async () => {
  const { commit, make, refresh, ok, person, services, database, P } = await openScene()
  await commit({ '.gitlab-ci.yml': CI_FILE, 'old.txt': 'old\n' }, { branch: 'main' })
  await commit({ 'a.txt': withLine(2, 'of topic') }, { branch: 'topic', from: 'main' })
  await make('topic')
  await refresh()
  const coverage = (as?: Awaited<ReturnType<typeof person>>) =>
    ok<{ files: object; errors: string[] }>(`GET ${P}/merge_requests/1/coverage`, undefined, as)
  expect(await coverage()).toEqual({ files: {}, errors: [] })
  const jobs = await database.selectFrom('job').selectAll().where('ref', '=', 'topic').orderBy('id').execute()
  const [unit, lint] = jobs
  if (!unit || !lint) throw new Error('The pipeline has other jobs')
  const store = (job: typeof unit, file_type: string, body: Buffer) => {
    const upload = { file_type, file_format: 'gzip' as const, filename: 'c.xml.gz', expire_at: null }
    return services.artifacts.store(job, upload, Readable.from([body]))
  }
  await store(unit, 'cobertura', cobertura({ 1: 0, 2: 3 }))
  expect(await coverage()).toEqual({ files: { 'a.txt': { 1: 0, 2: 3 } }, errors: [] })
  await store(lint, 'cobertura', cobertura({ 1: 2, 4: 0 }))
  await store(lint, 'jacoco', Buffer.from('no report'))
  const both = await coverage()
  expect(both.files).toEqual({ 'a.txt': { 1: 2, 2: 3, 4: 0 } })
  expect(both.errors).toEqual([expect.stringMatching(/^Coverage report parsing failed: /)])
  // Who may not see pipelines does not see what they have found out.
  await ok(`PUT ${P}`, { builds_access_level: 'private' })
  expect(await coverage(await person('bob'))).toEqual({ files: {}, errors: [] })
})
