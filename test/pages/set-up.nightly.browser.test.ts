import { expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { startMailServer } from '../support/mail-server.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

it('the first sign-in leads through the set-up: mail, group, runner, and what is skipped', async () => {
  const mailServer = await startMailServer()
  const service = await Service.start({
    SWITCHYARD_MAIL_URL: mailServer.settings.url,
    SWITCHYARD_MAIL_FROM: 'ci@example.com',
  })
  const { page } = await openPage(service, '/users/sign_in?tab=token')
  await page.getByLabel('Personal access token').fill(service.root.token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Set up this instance' }).waitFor()
  const stepOf = (title: string) => page.getByRole('button', { name: title })
  const states = () => page.getByRole('list', { name: 'Steps' }).getByRole('heading').allInnerTexts()
  expect(await looksRight(page)).toEqual([])

  await page.getByRole('button', { name: 'Skip this step' }).click()
  await page.getByLabel('Send a test to').fill('ada@example.com')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('has taken a test to ada@example.com').waitFor()
  expect(mailServer.mails.map(({ to }) => to)).toEqual(['ada@example.com'])

  await stepOf('First group').click()
  await page.getByLabel('Group name').fill('Platform team')
  await page.getByRole('button', { name: 'Create group' }).click()
  await page.getByText('The group Platform team was created.').waitFor()

  await stepOf('First runner').click()
  await page.getByRole('button', { name: 'Create a runner' }).click()
  const command = await page.getByRole('region', { name: 'command' }).innerText()
  const [, token = ''] = /--token (\S+)/.exec(command) ?? []
  expect(await looksRight(page)).toEqual([])
  await fetch(`${service.url}/api/v4/jobs/request`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  await page.getByText('The runner has connected.').waitFor()

  await expect
    .poll(states)
    .toEqual([
      'Address and TLS\nskipped',
      'Mail\ndone',
      expect.stringMatching(/^Sign-in/),
      'First group\ndone',
      'First runner\ndone',
      'First project\nopen',
      'Backups\nopen',
    ])
  await page.getByRole('button', { name: 'End the set-up' }).click()
  await page.waitForURL(service.url + '/')
  const again = await openPage(service, '/users/sign_in?tab=token')
  await again.page.getByLabel('Personal access token').fill(service.root.token)
  await again.page.getByRole('button', { name: 'Sign in' }).click()
  await again.page.waitForURL(service.url + '/')
})
