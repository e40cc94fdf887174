import { expect, test } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { startDockerRunner } from '../support/docker-runner.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

const CI = `
unit:
  script:
    - echo compiled >program
    - test -e fixture
    - echo "$(cat program) and tested"
`

test('a red job is held at its next failure, mended in a shell in the browser, and run again from the failed line', async () => {
  const service = await Service.start()
  const { token } = await service.addRunner()
  await startDockerRunner(service.url, token, { areTerminalsEnabled: true })
  const project = await service.addProject({ '.gitlab-ci.yml': CI })
  const { page } = await openPage(service, `/${project.path}/-/pipelines`, {
    as: service.root,
    // The page of the shell asks for it once more when the hold has ended.
    expectedFailures: /^409 .*terminal$/,
  })
  await page.getByRole('link', { name: 'Failed' }).first().click()
  await page.getByRole('link', { name: /unit/ }).first().click()
  await page.getByText('line 2 of 3').first().waitFor()
  expect(await looksRight(page)).toEqual([])

  const failed = page.url()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Retry and hold when it fails' }).click()
  await page.waitForURL((url) => url.href !== failed)
  await page.getByText('Held.').waitFor()
  expect(await looksRight(page)).toEqual([])

  await page.getByRole('link', { name: 'Shell' }).click()
  const screen = page.locator('.xterm-rows')
  const printed = async () => (await screen.innerText()).replaceAll('\u00a0', ' ')
  await expect.poll(printed).toMatch(/[$#] *$/)
  await page.keyboard.type('ls\n')
  await expect.poll(printed).toContain('program')
  await page.keyboard.type('touch fixture && switchyard-step run\n')
  await expect.poll(printed).toContain('compiled and tested')
  expect(await looksRight(page)).toEqual([])

  await page.goBack()
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await page.getByText('Held.').waitFor({ state: 'detached' })
  await page.goForward()
  await page.getByText('The job has ended and is not held.').waitFor()
})
