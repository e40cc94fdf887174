import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

describe('the pages of administrators', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const person = await service.addPerson('ada')
    const project = await service.addProject({ '.gitlab-ci.yml': 'test: { script: make }' })
    return { service, person, project }
  })

  it('begin with the state of the instance', async () => {
    const { service } = scene()
    const { page } = await openPage(service, '/', { as: service.root })
    await page.getByRole('button', { name: 'Account of' }).click()
    await page.getByRole('link', { name: 'Administration' }).click()
    await page.getByRole('table', { name: 'Coordinators' }).getByText('running').waitFor()
    await page.getByRole('link', { name: /^1 jobs waiting/ }).waitFor()
    await page.getByRole('table', { name: 'Periodic tasks' }).waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it('create a user, whom a link signs in', async () => {
    const { service } = scene()
    const { page } = await openPage(service, '/admin/users', { as: service.root })
    await page.getByRole('link', { name: 'ada' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'New user' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Grace')
    await page.getByLabel('Username').fill('grace')
    await page.getByLabel('E-mail address').fill('grace@example.com')
    await page.getByRole('button', { name: 'Create user' }).click()
    const link = await page.getByRole('region', { name: 'link' }).innerText()

    const browser = await openPage(service, new URL(link).pathname)
    await browser.page.getByRole('button').click()
    await browser.page.getByRole('button', { name: 'Account of Grace' }).waitFor()
  })

  it('block a user', async () => {
    const { service } = scene()
    const { page } = await openPage(service, '/admin/users', { as: service.root })
    const row = page.getByRole('row').filter({ hasText: '@ada' })
    await row.getByRole('button', { name: 'Actions for ada' }).click()
    await page.getByRole('button', { name: 'Block' }).click()
    await row.getByText('blocked').waitFor()
  })

  it('register a runner, and see that it has connected', async () => {
    const { service } = scene()
    const { page } = await openPage(service, '/admin/runners', { as: service.root })
    await page.getByText('There is no runner yet.').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'New runner' }).click()
    await page.getByLabel('Description').fill('linux-7')
    await page.getByRole('button', { name: 'Create runner' }).click()
    const command = await page.getByRole('region', { name: 'command' }).innerText()
    const [, token = ''] = /--token (\S+)/.exec(command) ?? []
    await service.fetch('POST', '/runners/verify', { body: { token } })
    await service.fetch('POST', '/jobs/request', { body: { token, info: {} } })
    await page.getByText('The runner has connected.').waitFor()
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('linux-7').waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it('list the jobs of all projects', async () => {
    const { service, project } = scene()
    const { page } = await openPage(service, '/admin/jobs', { as: service.root })
    await page.getByRole('link', { name: project.path }).waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it('are for administrators alone', async () => {
    const { service } = scene()
    const stranger = await service.addPerson('stranger')
    const { page } = await openPage(service, '/admin/users', { as: stranger, expectedFailures: /^404 / })
    await page.getByText('There is nothing here that you may see.').waitFor()
  })
})
