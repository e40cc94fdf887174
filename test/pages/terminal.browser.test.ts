import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { onFinished, openForFile } from '../support/lifetime.js'
import { IS_NIGHTLY } from '../support/nightly.js'
import { INFO_WITH_SHELLS, ShellRunner } from '../support/shell-runner.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

const LOST = /^403 .*signals/

describe('the shell page', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    return { service, runner: await service.addRunner() }
  })

  /** The page of a job of a new project that was just taken, and the shells of its runner. */
  async function takeJob() {
    const { service, runner } = scene()
    const project = await service.addProject({ '.gitlab-ci.yml': 'unit: { script: make }' })
    const job = await runner.takeJob({ info: INFO_WITH_SHELLS })
    const path = `/${project.path}/-/jobs/${job.id}`
    const api = `/projects/${project.id}/jobs/${job.id}`
    return { service, runner, project, job, path, api, shells: new ShellRunner(`${service.url}/api/v4`) }
  }

  const rows = (page: Page) => page.locator('.xterm-rows')

  it('opens a shell in a held job from its page', async () => {
    const { service, runner, job, path, shells } = await takeJob()
    await shells.hold(runner, job)
    const { page } = await openPage(service, path, { as: service.root })
    await page.getByRole('link', { name: 'Shell' }).click()
    await expect.poll(() => rows(page).innerText()).toMatch(/Size \d+ × \d+\s+\/builds\/group\/app \$/)
    await page.getByText('What the shell prints is not masked').waitFor()
    await page.keyboard.type('ls')
    await expect.poll(() => rows(page).innerText()).toContain('$ ls')
  })

  it.runIf(IS_NIGHTLY)('interrupts a command, and connects again after the end of the shell', async () => {
    const { service, runner, job, path, shells } = await takeJob()
    await shells.hold(runner, job)
    const { page } = await openPage(service, `${path}/terminal`, { as: service.root })
    await expect.poll(() => rows(page).innerText()).toMatch(/\$\s*$/)
    await page.keyboard.press('Control+c')
    await expect.poll(() => rows(page).innerText()).toContain('^C')
    expect(await looksRight(page)).toEqual([])

    await page.keyboard.type('exit\n')
    await page.getByText('The shell has ended with exit code 3.').waitFor()
    await page.getByRole('button', { name: 'Connect again' }).click()
    await expect.poll(() => rows(page).innerText()).toMatch(/\$\s*$/)
    await page.keyboard.type('again')
    await expect.poll(() => rows(page).innerText()).toContain('again')
  })

  it.runIf(IS_NIGHTLY)(
    'opens a shell in a running job, copies, pastes, resizes, and is left by keys',
    async () => {
      const { service, job, path, shells } = await takeJob()
      shells.run(job)
      const { page, context } = await openPage(service, path, { as: service.root, expectedFailures: LOST })
      await page.getByRole('link', { name: 'Shell' }).click()
      await page.getByText('ends with the script of the job').waitFor()
      await expect.poll(() => rows(page).innerText()).toContain('/builds/group/app $')

      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url })
      await page.evaluate('navigator.clipboard.writeText("from elsewhere")')
      await page.keyboard.press('Control+v')
      await expect.poll(() => rows(page).innerText()).toContain('from elsewhere')
      // What takes the mouse lies above the rows.
      await rows(page).getByText('from').dblclick({ force: true })
      await page.keyboard.press('Control+c')
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/^\S+$/)

      await page.setViewportSize({ width: 360, height: 700 })
      // Narrow rows break the text anywhere.
      const unbroken = async () => (await rows(page).innerText()).replaceAll(/\s/g, '')
      await expect.poll(unbroken).toMatch(/\[\d\dcolumns\]/)

      await page.keyboard.press('Control+Shift+Escape')
      await page.keyboard.press('Space')
      await expect.poll(() => page.getByLabel('For screen readers').isChecked()).toBe(true)
      await expect
        .poll(() => page.locator('.xterm-accessibility-tree').innerText())
        .toContain('/builds/group/app')
      expect(await looksRight(page)).toEqual([])
    },
  )

  it.runIf(IS_NIGHTLY)('says why there is no shell, and why one has ended', async () => {
    const { service, runner, job, path, api, shells } = await takeJob()
    await shells.hold(runner, job)
    const setShells = (job_shells_enabled: boolean) =>
      service.json('PUT', '/application/settings', { job_shells_enabled })
    onFinished(async () => void (await setShells(true)))
    const open = async (as: { id: number }) => (await openPage(service, `${path}/terminal`, { as })).page

    const page = await open(service.root)
    await expect.poll(() => rows(page).innerText()).toContain('/builds')
    expect((await service.fetch('DELETE', `${api}/hold`, { as: service.root })).status).toBe(204)
    await page.getByText('The connection to the job has ended.').waitFor()
    const ended = await open(service.root)
    await ended.getByText('The job has ended and is not held.').waitFor()
    expect(await looksRight(ended)).toEqual([])

    const other = await takeJob()
    await setShells(false)
    const disabled = (await openPage(service, `${other.path}/terminal`, { as: service.root })).page
    await disabled.getByText('This server opens no shells in jobs.').waitFor()
    await setShells(true)
    const developer = await service.addPerson('developer')
    await service.json('POST', `/projects/${other.project.id}/members`, {
      user_id: developer.id,
      access_level: 30,
    })
    const forbidden = (await openPage(service, `${other.path}/terminal`, { as: developer })).page
    await forbidden.getByText('You may not open a shell in this job.').waitFor()
  })

  it.runIf(IS_NIGHTLY)('asks for the password again on a protected branch', async () => {
    const { service, runner, job, path, shells } = await takeJob()
    await shells.hold(runner, job)
    await service.writeStore((database) =>
      database.updateTable('web_session').set({ confirmed_at: null }).execute(),
    )
    const { page } = await openPage(service, `${path}/terminal`, {
      as: service.root,
      expectedFailures: /^403 .*terminal/,
    })
    await service.writeStore((database) =>
      database.updateTable('web_session').set({ confirmed_at: null }).execute(),
    )
    await page.reload()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Connect again' }).waitFor()
  })
})
