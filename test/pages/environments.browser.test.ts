import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { testAtNight } from '../support/nightly.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'
import { runJobs } from './support/pipeline-scene.js'

const CI_FILE = `
stages: [deploy, review]
live: { stage: deploy, script: make, resource_group: live, environment: { name: production, url: 'https://app.example.com' } }
preview: { stage: review, script: make, environment: { name: 'review/$CI_COMMIT_REF_NAME', on_stop: close, auto_stop_in: 1 week } }
close: { stage: review, script: make, when: manual, environment: { name: 'review/$CI_COMMIT_REF_NAME', action: stop } }
`

describe('environments', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const runner = await service.addRunner()
    const ada = await service.addPerson('ada')
    const project = await service.addProject({ '.gitlab-ci.yml': CI_FILE }, ada)
    await runJobs(runner)
    await service.push(project, { 'README.md': 'second' })
    await runJobs(runner)
    const empty = await service.addProject({ 'README.md': '' }, ada)
    return { service, runner, ada, project, empty }
  })

  testAtNight('show what is deployed, roll back, and are stopped and changed', async () => {
    const { service, runner, ada, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/environments`, { as: ada })
    const production = page.getByRole('article', { name: 'production' })
    await production.getByRole('link', { name: 'app.example.com' }).waitFor()
    const preview = page.getByRole('article', { name: 'review/main' })
    await preview.getByRole('button', { name: 'Stop' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await preview.getByRole('button', { name: 'Keep' }).click()
    await page.getByText('review/main no longer stops by itself').waitFor()
    await preview.getByText('stops in').waitFor({ state: 'detached' })

    await production.getByRole('link', { name: 'production' }).click()
    const deployments = page.getByRole('list', { name: 'Deployments' })
    await deployments.getByRole('listitem').nth(1).waitFor()
    await deployments.getByRole('link', { name: '1 commit' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByLabel('Address').fill('https://new.example.com')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('link', { name: 'new.example.com' }).waitFor()
    await deployments.getByRole('button', { name: 'Roll back' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click()
    await page.getByText('live was started again').waitFor()
    await deployments.getByRole('listitem').nth(2).waitFor()
    await page.getByRole('heading', { name: 'Resource group live' }).waitFor()
    await page.getByText('has the resource').waitFor()
    await page.getByText('No other job waits.').waitFor()
    await runJobs(runner)
    await deployments.getByRole('listitem').first().getByText('now there').waitFor()

    await page.getByRole('link', { name: 'Environments' }).click()
    const review = page.getByRole('article', { name: 'review/main' })
    await review.getByRole('button', { name: 'Stop' }).click()
    await page.getByLabel('Stop without running that job').check()
    await page.getByRole('button', { name: 'Stop environment' }).click()
    await review.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Stopped' }).click()
    await review.getByRole('link', { name: 'review/main' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete environment' }).click()
    await page.getByText('review/main was deleted').waitFor()
  })

  it('are protected, and say so to those who may not deploy', async () => {
    const { service, ada, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/settings/ci_cd`, { as: ada })
    await page.getByText('No environment is protected.').waitFor()
    await page.getByRole('button', { name: 'Protect an environment' }).click()
    await page.getByLabel('Environment', { exact: true }).fill('production')
    await page.getByRole('combobox', { name: 'Add to: Allowed to deploy' }).click()
    await page.getByRole('option', { name: 'Administrators' }).click()
    await page.getByRole('combobox', { name: 'Add to: Must approve' }).fill('ada')
    await page.getByRole('option', { name: '@ada' }).click()
    await page.getByLabel('Approvals by ada').selectOption('2')
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Protect', exact: true }).click()
    await page.getByText('production is protected').waitFor()
    const rules = page.getByRole('table', { name: 'Protected environments' })
    await rules.getByText('2 by ada').waitFor()

    await page.getByRole('link', { name: 'Environments' }).click()
    const production = page.getByRole('article', { name: 'production' })
    await production.getByText('protected').waitFor()
    expect(await production.getByRole('button', { name: 'Deploy again' }).isDisabled()).toBe(true)

    await page.goto(`${service.url}/${project.path}/-/settings/ci_cd`)
    await rules.getByRole('button', { name: 'Change the protection of production' }).click()
    await page.getByRole('button', { name: 'Remove ada' }).click()
    await page.getByLabel('Approvals by those who may deploy').fill('1')
    await page.getByRole('button', { name: 'Save changes' }).last().click()
    await rules.getByText('1 by those who may deploy').waitFor()
    await rules.getByRole('button', { name: 'Unprotect production' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unprotect' }).click()
    await page.getByText('No environment is protected.').waitFor()
  })

  it('say how they come about while there is none', async () => {
    const { service, ada, empty } = scene()
    const { page } = await openPage(service, `/${empty.path}/-/environments`, { as: ada })
    await page.getByText('There is no environment yet.').waitFor()
    expect(await looksRight(page)).toEqual([])
  })
})
