import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

describe('the settings of a project', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const owner = await service.addPerson('owner')
    const developer = await service.addPerson('developer')
    const project = await service.addProject({ 'README.md': '# App' }, owner)
    const member = { user_id: developer.id, access_level: 30 }
    await service.json('POST', `/projects/${project.id}/members`, member)
    return { service, owner, developer, project }
  })

  it('add variables one by one and from a .env file, and hide their values', async () => {
    const { service, owner, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/settings/ci_cd`, { as: owner })
    await page.getByText('There is no variable yet.').waitFor()
    await page.getByRole('button', { name: 'Add variable' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Key').fill('DEPLOY_KEY')
    await dialog.getByLabel('Value').fill('a-secret-of-many-letters')
    await dialog.getByLabel('Visibility').selectOption('masked')
    await dialog.getByLabel('Protected').check()
    await dialog.getByRole('button', { name: 'Add variable' }).click()
    const row = page.getByRole('row').filter({ hasText: 'DEPLOY_KEY' })
    await row.getByText('masked').waitFor()
    expect(await page.getByText('a-secret-of-many-letters').count()).toBe(0)
    await row.getByRole('button', { name: 'Show the value of DEPLOY_KEY' }).click()
    await page.getByText('a-secret-of-many-letters').waitFor()
    expect(await looksRight(page)).toEqual([])

    await page.getByRole('button', { name: 'Paste .env' }).click()
    await dialog.getByLabel('Lines such as KEY=value').fill('A=1\nB="two"\n')
    await dialog.getByRole('button', { name: 'Add 2 variables' }).click()
    await page.getByRole('row').filter({ hasText: 'B' }).first().waitFor()
    const variables = await service.json<{ key: string; value: string }[]>(
      'GET',
      `/projects/${project.id}/variables`,
    )
    expect(variables.map(({ key, value }) => [key, value])).toEqual(
      expect.arrayContaining([
        ['A', '1'],
        ['B', 'two'],
      ]),
    )
  })

  it('list members, and change their roles', async () => {
    const { service, owner, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/project_members`, { as: owner })
    await page.getByLabel('Role of developer').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByLabel('Role of developer').selectOption('Reporter')
    await page.getByText('The role was changed').waitFor()
    await page.getByRole('button', { name: 'Add member' }).click()
    await page.getByRole('combobox', { name: 'User' }).fill('root')
    await page.getByRole('option', { name: /@root/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add member' }).click()
    await page.getByText('Administrator was added').waitFor()
  })

  it('create a token of the project', async () => {
    const { service, owner, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/settings/access_tokens`, { as: owner })
    await page.getByText('There is no token.').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name').fill('bot')
    await page.getByRole('checkbox', { name: 'read_api', exact: true }).check()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('row').filter({ hasText: 'bot' }).getByText('Developer').waitFor()
  })

  it('say who may see the variables', async () => {
    const { service, developer, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/settings/ci_cd`, { as: developer })
    await page.getByText('Maintainers and above manage the variables of a project.').waitFor()
  })
})
