import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'
import { CI_FILE, runPipeline } from './support/pipeline-scene.js'

describe('the page of a pipeline', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const runner = await service.addRunner()
    const project = await service.addProject({ '.gitlab-ci.yml': CI_FILE, 'README.md': '# App\n' })
    const endings = { 'rspec 3/4': 'failed', lint: 'failed', docs: 'running' } as const
    return { service, project, pipeline: await runPipeline(service, project, runner, endings) }
  })

  it('shows each job with its status, and what a job depends on', async () => {
    const { service, project, pipeline } = scene()
    const { page } = await openPage(service, `/${project.path}/-/pipelines/${pipeline}?view=graph`, {
      as: service.root,
    })
    const job = (name: RegExp) => page.getByRole('link', { name })
    await job(/^compile.*passed/).waitFor()
    expect(await job(/^lint.*passed with warnings/).count()).toBe(1)
    expect(await job(/^docs.*running/).count()).toBe(1)
    expect(await looksRight(page)).toEqual([])

    await page.getByRole('button', { name: 'rspec' }).click()
    expect(await job(/^3\/4.*failed/).count()).toBe(1)

    await job(/^compile/).press('Space')
    await page.getByRole('button', { name: 'Show all jobs' }).click()
    await page.getByPlaceholder('Filter jobs').fill('comp')
    expect(page.url()).toContain('job=comp')
  })
})
