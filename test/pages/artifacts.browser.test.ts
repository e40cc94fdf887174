import { truncate } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'

import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { zipOf } from '../coordinator/support/zip.js'
import { openForFile } from '../support/lifetime.js'
import { testAtNight } from '../support/nightly.js'
import { looksRight, scrollsSideways } from './support/accessibility.js'
import { openPage } from './support/browser.js'
import { pdfOf, SOUND } from './support/sample-files.js'

const CI_FILE = `
build: { script: make, artifacts: { paths: [dist], expire_in: 1 week } }
empty: { script: make }
secret: { script: make, artifacts: { paths: [dist], access: maintainer } }
`

const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="90" height="60" fill="teal"/></svg>'

const FILES = {
  'dist/app.js': 'export const answer = 42\n',
  'dist/data.json': JSON.stringify({
    rows: Array.from({ length: 80 }, (_, index) => ({ index, name: `row ${index}` })),
  }),
  'dist/index.html': '<script>alert(1)</script>',
  'dist/logo.svg': DRAWING,
  'dist/report.pdf': pdfOf('Report'),
  'dist/sound.wav': SOUND,
  'dist/core.bin': 'ELF\0\0\0',
  ...Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [
      `dist/many/file-${String(index).padStart(3, '0')}.txt`,
      'x'.repeat(index),
    ]),
  ),
  'README.txt': 'read me\n',
  'rspec.xml':
    '<testsuite name="unit"><testcase name="passes" time="0.1"/><testcase name="breaks"><failure>got 3</failure></testcase></testsuite>',
  'coverage.xml':
    '<coverage line-rate="0.5"><class filename="src/a.rb"><lines><line number="1" hits="2"/><line number="2" hits="0"/></lines></class></coverage>',
}

describe('the artifacts of a job', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const runner = await service.addRunner()
    const project = await service.addProject({ '.gitlab-ci.yml': CI_FILE })
    const archive = await buffer(await zipOf(FILES))
    const ids: Record<string, number> = {}
    for (let left = 3; left > 0; left -= 1) {
      const job = await runner.takeJob()
      ids[job.job_info.name] = job.id
      if (job.job_info.name !== 'empty') await runner.upload(job, archive)
      await runner.update(job, 'success')
    }
    const reporter = await service.addPerson('reporter')
    await service.json('POST', `/projects/${project.id}/members`, { user_id: reporter.id, access_level: 20 })
    return { service, project, ids, reporter }
  })
  const open = (name: string, tail: string, as = scene().service.root) => {
    const { service, project, ids } = scene()
    const path = `/${project.path}/-/jobs/${ids[name]}${tail}`
    return openPage(service, path, { as })
  }

  testAtNight('are browsed by folder, filtered, and downloaded', async () => {
    const { page } = await open('build', '')
    await page.getByRole('link', { name: 'Browse' }).click()
    await page.getByRole('link', { name: 'dist' }).click()
    await page.getByRole('heading', { level: 1, name: 'Artifacts / dist' }).waitFor()
    expect(await page.getByText('kept: newest of main').count()).toBe(1)
    await page.getByRole('link', { name: 'app.js' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    const [folder] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download folder' }).click(),
    ])
    expect(folder.suggestedFilename()).toBe('dist.zip')
    await page.getByRole('link', { name: 'many' }).click()
    await page.getByText('300 entries').waitFor()
    await page.getByRole('searchbox').fill('99')
    await page.getByText('3 entries found').waitFor()
    await page.getByRole('link', { name: 'file-199.txt' }).click()
    await page.getByText('x'.repeat(199), { exact: true }).waitFor()
  })

  it('show texts, pictures and reports in place, and run no page', async () => {
    const { page, context } = await open('build', '/artifacts/file/dist/data.json')
    await page.getByText('"row 3"').waitFor()
    await page.getByRole('link', { name: 'Source' }).click()
    await page.getByText(/ · 1 line$/).waitFor()
    const { service, project, ids } = scene()
    const at = (path: string) =>
      `${service.url}/${project.path}/-/jobs/${ids['build']}/artifacts/file/${path}`
    await page.goto(at('dist/logo.svg'))
    await expect.poll(() => page.evaluate('document.querySelector("main img")?.naturalWidth')).toBe(90)
    await page.goto(at('dist/sound.wav'))
    await expect.poll(() => page.evaluate('document.querySelector("main audio")?.duration')).toBe(1)
    expect(await looksRight(page)).toEqual([])
    if (!(await page.evaluate<boolean>('navigator.pdfViewerEnabled'))) {
      await page.goto(at('dist/report.pdf'))
      await page.getByText('This browser shows no PDF inside a page.').waitFor()
      // The nightly run has a browser with a viewer. This one downloads what a viewer would show.
      await context.addInitScript({
        content: "Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => true })",
      })
    }
    await page.goto(at('dist/report.pdf'))
    // The viewer of the browser has loaded the file. A part that the policy refuses would be a problem of the page.
    await expect.poll(() => page.frames().length).toBeGreaterThan(1)
    await page.locator('main iframe[title="report.pdf"]').waitFor()
    expect(await scrollsSideways(page)).toBe(false)
    await page.goto(at('dist/index.html'))
    await page.getByRole('link', { name: 'Open as page' }).waitFor()
    await page.goto(at('coverage.xml'))
    await page.getByText('50 % of the lines').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.goto(at('rspec.xml'))
    await page.getByText('got 3').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.goto(at('dist/core.bin'))
    await page.getByText('This is a binary file.').waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).first().click(),
    ])
    expect(file.suggestedFilename()).toBe('core.bin')
  })

  testAtNight('are kept and deleted by those who may', async () => {
    const { page } = await open('secret', '/artifacts/browse')
    await page.getByRole('button', { name: 'Keep' }).click()
    await page.getByText('kept until they are deleted').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete artifacts' }).click()
    await page.getByText('This job has no artifacts.').waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it('say for whom they are', async () => {
    const { service, project } = scene()
    const runner = await service.addRunner()
    await service.json('POST', `/projects/${project.id}/pipeline`, { ref: 'main' })
    for (let left = 3; left > 0; left -= 1) {
      const job = await runner.takeJob()
      if (job.job_info.name === 'secret') {
        scene().ids['again'] = job.id
        await runner.upload(job, await buffer(await zipOf({ a: 'a' })))
      }
      await runner.update(job, 'success')
    }
    const { page } = await open('again', '/artifacts/browse', scene().reporter)
    await page.getByText('The artifacts of this job are only for maintainers and above.').waitFor()
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  })

  it('say that their archive is damaged', async () => {
    const { service, project, ids } = scene()
    const [file = ''] = await service.filesOf(`artifacts/${project.id}/${ids['again']}`)
    await truncate(file, 100)
    const expectedFailures = /^500 .*artifacts/
    const path = `/${project.path}/-/jobs/${ids['again']}/artifacts/browse`
    const { page } = await openPage(service, path, { as: service.root, expectedFailures })
    await page.getByText(/The stored file is damaged: it has 100 bytes, not \d+/).waitFor()
    expect(await looksRight(page)).toEqual([])
  })
})
