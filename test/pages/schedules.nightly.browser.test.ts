import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

const CI_FILE = `spec:
  inputs:
    suite: { description: Tests to run, options: [fast, all], default: fast }
---
tests: { script: 'make $[[ inputs.suite ]]', rules: [{ if: $CI_PIPELINE_SOURCE == "schedule" }] }
`

describe('the pages of schedules', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const project = await service.addProject({ '.gitlab-ci.yml': CI_FILE })
    const maintainer = await service.addPerson('dora')
    const members = `/projects/${project.id}/members`
    await service.json('POST', members, { user_id: maintainer.id, access_level: 40 })
    return { service, project, maintainer }
  })

  it('create a schedule, whose words and times follow the typing, change it and run it', async () => {
    const { service, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/pipeline_schedules`, { as: service.root })
    await page.getByText('Nothing runs by the clock yet.').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('link', { name: 'New schedule' }).first().click()

    await page.getByLabel('Description').fill('Nightly tests')
    const cron = page.getByLabel('Cron expression')
    await cron.fill('61 4 * * *')
    await page.getByText('This is no cron expression with five fields.').waitFor()
    await cron.fill('30 4 * * 1-5')
    await page.getByText('weekdays at 04:30', { exact: true }).waitFor()
    expect(await page.getByRole('list', { name: 'Next times' }).getByRole('listitem').count()).toBe(5)
    await page.getByRole('combobox', { name: 'Time zone' }).fill('berlin')
    await page.getByRole('option', { name: 'Europe/Berlin' }).click()
    await page.getByLabel('suite').selectOption('all')
    await page
      .getByLabel('Key of variable')
      .or(page.getByRole('button', { name: 'Add variable' }))
      .click()
    await page.getByLabel('Key of variable 1').fill('LEVEL')
    await page.getByLabel('Value of variable 1').fill('debug')
    await page.getByText('Jobs that would run (1)').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Create schedule' }).click()

    await page.getByText('weekdays at 04:30, Europe/Berlin').waitFor()
    const list = `/projects/${project.id}/pipeline_schedules`
    const [made] = await service.json<{ id: number }[]>('GET', list)
    expect(await service.json('GET', `${list}/${made?.id}`)).toMatchObject({
      cron: '30 4 * * 1-5',
      cron_timezone: 'Europe/Berlin',
      ref: 'refs/heads/main',
      inputs: [{ name: 'suite', value: 'all' }],
      variables: [{ key: 'LEVEL', value: 'debug' }],
    })

    await page.getByRole('button', { name: 'Run Nightly tests now' }).click()
    await page.getByRole('link', { name: /pending #\d+/ }).waitFor()
    expect(await looksRight(page)).toEqual([])

    await page.getByRole('link', { name: 'Nightly tests' }).click()
    await page.getByLabel('Value of variable 1').fill('info')
    await page.getByLabel('Active').uncheck()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('off', { exact: true }).waitFor()
    expect(await service.json('GET', `${list}/${made?.id}`)).toMatchObject({
      active: false,
      inputs: [{ name: 'suite', value: 'all' }],
      variables: [{ key: 'LEVEL', value: 'info' }],
    })

    await page.getByRole('button', { name: 'Actions for Nightly tests' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete schedule' }).click()
    await page.getByText('Nothing runs by the clock yet.').waitFor()
  })

  it('say to reporters who may change schedules', async () => {
    const { service, project } = scene()
    const reporter = await service.addPerson('rob')
    const members = `/projects/${project.id}/members`
    await service.json('POST', members, { user_id: reporter.id, access_level: 20 })
    const { page } = await openPage(service, `/${project.path}/-/pipeline_schedules`, { as: reporter })
    await page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor()
    await page.getByText('Developers and above can create schedules.').waitFor()
    expect(await page.getByRole('link', { name: 'New schedule' }).count()).toBe(0)
    await page.goto(`${service.url}/${project.path}/-/pipeline_schedules/new`)
    await page.getByText('Developers and above can create schedules.').waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it('take over a schedule that was deactivated because its owner may not run it', async () => {
    const { service, project, maintainer } = scene()
    const list = `/projects/${project.id}/pipeline_schedules`
    const body = { description: 'weekly', ref: 'main', cron: '@weekly' }
    const { id } = await service.json<{ id: number }>('POST', list, body, maintainer)
    await service.json('PUT', `${list}/${id}`, { active: false }, maintainer)
    const { page } = await openPage(service, '/', { as: service.root })
    // The state comes about when the schedule is due.
    const reason = 'The user may not run pipelines on main'
    await page.route(/pipeline_schedules\?/, async (route) => {
      const response = await route.fetch()
      const rows = (await response.json()) as { active: boolean }[]
      const json = rows.map((row) => (row.active ? row : { ...row, last_failure: reason }))
      await route.fulfill({ response, json })
    })
    await page.goto(`${service.url}/${project.path}/-/pipeline_schedules`)
    await page.getByText(reason).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Take over' }).click()
    await page.getByRole('button', { name: 'Take over and switch on' }).click()
    await expect.poll(() => page.getByText(reason).count()).toBe(0)
    expect(await service.json('GET', `${list}/${id}`)).toMatchObject({
      active: true,
      owner: { username: 'root' },
    })
  })
})
