import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'
import { runJobs } from './support/pipeline-scene.js'

const CI_FILE = `
compile: { script: make }
rspec: { script: make test }
gpu: { script: make, tags: [gpu] }
`

describe('the page of a job', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const runner = await service.addRunner()
    const project = await service.addProject({ '.gitlab-ci.yml': CI_FILE })
    await runJobs(runner, { rspec: 'failed' })
    const jobs = await service.json<{ id: number; name: string }[]>('GET', `/projects/${project.id}/jobs`)
    const idOf = (name: string) => jobs.find((job) => job.name === name)?.id ?? 0
    return { service, project, idOf }
  })
  const open = (name: string) => {
    const { service, project, idOf } = scene()
    return openPage(service, `/${project.path}/-/jobs/${idOf(name)}`, { as: service.root })
  }

  it('shows the log with its sections and colors', async () => {
    const { page } = await open('compile')
    await page.getByText('$ make compile').waitFor()
    expect(await page.getByText('section_start').count()).toBe(0)
    expect(await looksRight(page)).toEqual([])
    await page.locator('[data-fold]').last().click()
    await expect.poll(() => page.getByText('$ make compile').count()).toBe(0)
  })

  it('links to a range of lines', async () => {
    const { page } = await open('compile')
    await page.locator('[data-line="3"]').click()
    await page.locator('[data-line="5"]').click({ modifiers: ['Shift'] })
    expect(new URL(page.url()).hash).toBe('#L3-L5')
  })

  it('opens the log of a failed job at its first error, and finds text', async () => {
    const { page } = await open('rspec')
    await page.getByText('expected: "b"').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('got:')
    await page.getByText('1 of 1').waitFor()
    expect(await page.locator('mark').innerText()).toBe('got:')
  })

  it('says why a job waits, and what would help', async () => {
    const { page } = await open('gpu')
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    expect(await page.getByText('gpu', { exact: true }).count()).toBeGreaterThan(1)
    expect(await looksRight(page)).toEqual([])
  })

  it('follows a log as it grows, byte for byte', async () => {
    const { service } = scene()
    const runner = await service.addRunner({ tag_list: 'live', run_untagged: false })
    const project = await service.addProject({ '.gitlab-ci.yml': 'live: { script: make, tags: [live] }' })
    const job = await runner.takeJob()
    const { page } = await openPage(service, `/${project.path}/-/jobs/${job.id}`, { as: service.root })
    let sent = 0
    const print = async (text: string) => {
      const bytes = Buffer.byteLength(text)
      await runner.patch(job, `${sent}-${sent + bytes - 1}`, text)
      sent += bytes
    }
    await print('first li')
    await page.getByText('first li', { exact: true }).waitFor()
    await print('ne\nsecond line\n')
    await page.getByText('second line').waitFor()
    expect(await page.getByText('first line', { exact: true }).count()).toBe(1)
    await print(`${Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n')}\nthe end.\n`)

    await page.getByText('the end.').waitFor()
    await runner.update(job, 'success', { output: { bytesize: sent } })
    await page.getByRole('heading', { level: 1, name: /passed/ }).waitFor()
  })
})
