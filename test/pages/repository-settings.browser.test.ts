import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { IS_NIGHTLY, testAtNight } from '../support/nightly.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl deploy@server'

/** A project without push rules returns 404 for them. */
const NO_PUSH_RULE = /^404 .*\/push_rule$/

describe('the settings of a repository', () => {
  const scene = openForFile(async () => {
    const service = await Service.start({ SWITCHYARD_OUTBOUND_ALLOW_LOCAL_NETWORK: 'true' })
    const owner = await service.addPerson('owner')
    const group = await service.json<{ id: number }>('POST', '/groups', { name: 'Acme', path: 'acme' }, owner)
    const project = await service.addProject({ 'README.md': '# App' }, owner, {
      namespace_id: group.id,
      name: 'app',
    })
    for (const branch of ['release/1.0', 'release/1.1']) {
      await service.json('POST', `/projects/${project.id}/repository/branches`, { branch, ref: 'main' })
    }
    return { service, owner, project }
  })

  it('protect branches and tags, and show what each rule matches', async () => {
    const { service, owner, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/settings/repository`, {
      as: owner,
      expectedFailures: NO_PUSH_RULE,
    })
    await page.getByText('matches this branch').waitFor()
    await page.getByRole('button', { name: 'Protect a branch' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Branch or wildcard').fill('release/*')
    await dialog.getByLabel('Who merges').selectOption('Developers and maintainers')
    await dialog.getByRole('button', { name: 'Protect' }).click()
    await page.getByText('matches 2 branches, such as').waitFor()
    await page.getByRole('button', { name: 'Protect a tag' }).click()
    await dialog.getByLabel('Tag or wildcard').fill('v*')
    await dialog.getByRole('button', { name: 'Protect' }).click()
    await page.getByText('matches no tag yet').waitFor()
    expect(await looksRight(page)).toEqual([])
    const [rule] = await service.json<unknown[]>(
      'GET',
      `/projects/${project.id}/protected_branches?search=release`,
    )
    expect(rule).toMatchObject({ merge_access_levels: [{ access_level: 30 }] })
    await page.getByRole('button', { name: 'Unprotect release/*' }).click()
    const question = page.getByRole('dialog', { name: 'Unprotect release/*?' })
    await question.getByRole('button', { name: 'Unprotect branch' }).click()
    await page.getByText('release/* is no longer protected').waitFor()
  })

  it('have push rules, deploy keys and tokens, and mirrors', async () => {
    const { service, owner, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/settings/repository`, {
      as: owner,
      expectedFailures: NO_PUSH_RULE,
    })
    const dialog = page.getByRole('dialog')
    await page.getByLabel('Commit messages must match').fill('^fix: ')
    await page.getByRole('button', { name: 'Save changes' }).first().click()
    await page.getByRole('button', { name: 'Remove all rules' }).waitFor()

    await page.getByRole('button', { name: 'Add deploy key' }).click()
    await dialog.getByLabel('Title').fill('server')
    await dialog.getByLabel('Public key').fill(KEY)
    await dialog.getByRole('button', { name: 'Add key' }).click()
    await page.getByRole('button', { name: 'Let it push' }).click()
    await page.getByText('clones and pushes').waitFor()

    await page.getByRole('button', { name: 'New deploy token' }).click()
    await dialog.getByLabel('Name', { exact: true }).fill('deployer')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('Copy the token deployer now.').waitFor()

    await page.getByRole('button', { name: 'Add mirror' }).click()
    await dialog.getByLabel('Address of the repository').fill('http://127.0.0.1:9/copy.git')
    await dialog.getByLabel('User name').fill('bot')
    await dialog.getByLabel('Password or token').fill('secret-word')
    await dialog.getByRole('button', { name: 'Add mirror' }).click()
    await page.getByRole('button', { name: 'Switch off' }).waitFor()
    expect(await page.getByText('secret-word').count()).toBe(0)

    await page.getByLabel('Address of the source').fill('http://127.0.0.1:9/source.git')
    await page.getByRole('button', { name: 'Save changes' }).last().click()
    await page.getByRole('button', { name: 'Update now' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    const rule = await service.json('GET', `/projects/${project.id}/push_rule`)
    expect(rule).toMatchObject({ commit_message_regex: '^fix: ', max_file_size: 0 })
  })

  testAtNight('have trigger tokens, allowed projects and secure files for CI/CD', async () => {
    const { service, owner, project } = scene()
    const other = await service.addProject({ 'README.md': '' }, owner, { name: 'other-tool' })
    const { page } = await openPage(service, `/${project.path}/-/settings/ci_cd`, { as: owner })
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'New trigger token' }).click()
    await dialog.getByLabel('Description').fill('nightly build')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('Start a pipeline with this request:').waitFor()
    await page.getByRole('button', { name: 'Allow a project or group' }).click()
    await dialog.getByRole('combobox', { name: 'Project or group' }).fill('other-tool')
    await dialog.getByRole('option', { name: other.path }).click()
    await dialog.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('button', { name: `Remove ${other.path}` }).waitFor()
    const limit = page.getByLabel('Only jobs of these projects and groups have access')
    await limit.click()
    expect(await looksRight(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Open to all jobs' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect
      .poll(() => service.json('GET', `/projects/${project.id}/job_token_scope`, undefined, owner))
      .toMatchObject({ inbound_enabled: false })
    await page
      .getByLabel('Secure file', { exact: true })
      .setInputFiles({ name: 'signing.key', mimeType: 'text/plain', buffer: Buffer.from('secret') })
    await page.getByRole('button', { name: 'Delete signing.key' }).waitFor()
    await page.getByText('There is no cache on this server.').waitFor()
    expect(await looksRight(page)).toEqual([])

    await page.getByRole('button', { name: 'Delete signing.key' }).click()
    await dialog.getByRole('button', { name: 'Delete file' }).click()
    await page.getByText('There is no secure file.').waitFor()
    const triggers = page.getByRole('table', { name: 'Trigger tokens' })
    const [trigger] = await service.json<{ token: string }[]>('GET', `/projects/${project.id}/triggers`)
    await triggers.getByText(`glptt-${trigger?.token}…`).waitFor()
    await triggers.getByRole('button', { name: 'Revoke' }).click()
    await dialog.getByRole('button', { name: 'Revoke token' }).click()
    await page.getByText('There is no trigger token.').waitFor()
    expect(await page.getByText('Start a pipeline with this request:').count()).toBe(0)
    expect(await service.json('GET', `/projects/${project.id}/triggers`)).toEqual([])
  })

  it('leave audit events, which are filtered by day', async () => {
    const { service, owner, project } = scene()
    await service.json('PUT', `/projects/${project.id}`, { visibility: 'private', description: 'New' }, owner)
    const { page } = await openPage(service, `/${project.path}/-/settings/audit`, { as: owner })
    await page.getByText('Updated a project').first().waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByLabel('From').fill('2099-01-01')
    await page.getByText('No event matches.').waitFor()
    expect(new URL(page.url()).search).toBe('?after=2099-01-01')
  })

  it.runIf(IS_NIGHTLY)('of a group have deploy tokens, and push rules for new projects', async () => {
    const { service, owner } = scene()
    const { page } = await openPage(service, '/groups/acme/-/settings/repository', {
      as: owner,
      expectedFailures: NO_PUSH_RULE,
    })
    await page.getByLabel('Commits are signed').check()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Remove all rules' }).click()
    const question = page.getByRole('dialog', { name: 'Remove all push rules of new projects?' })
    await question.getByRole('button', { name: 'Remove all rules' }).click()
    await page.getByText('The push rules were removed').waitFor()
    expect(await looksRight(page)).toEqual([])
  })
})
