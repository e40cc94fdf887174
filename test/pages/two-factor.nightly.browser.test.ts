import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

import { expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { codeOf } from '../coordinator/sessions/app-of-user.js'
import { onFinished, openForFile } from '../support/lifetime.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

const PASSWORD = 'correct horse battery'
const ACCOUNT = '/-/profile/two_factor_auth'

/** Browsers offer passkeys at `localhost`, and not at an IP address, so a proxy leads from one to the other. */
const scene = openForFile(async () => {
  let target = 0
  const proxy = createServer((client) => {
    const server = connect(target, '127.0.0.1')
    client.pipe(server).pipe(client)
    client.on('error', () => server.destroy())
    server.on('error', () => client.destroy())
  }).listen(0, '127.0.0.1')
  onFinished(() => void proxy.close())
  await once(proxy, 'listening')
  const url = `http://localhost:${(proxy.address() as AddressInfo).port}`
  const service = await Service.start({ SWITCHYARD_EXTERNAL_URL: url })
  target = Number(new URL(service.url).port)
  return { service, host: { url, openSession: service.openSession.bind(service) } }
})

async function addPerson(username: string) {
  const person = await scene().service.addPerson(username)
  await scene().service.json('PUT', `/users/${person.id}`, { password: PASSWORD })
  return person
}

it('a user sets an app up, and signs in with its code', async () => {
  const { host } = scene()
  const person = await addPerson('ada')
  const { page } = await openPage(host, ACCOUNT, { as: person, expectedFailures: /^(?:403|401) / })
  await page.getByRole('button', { name: 'Set up an app' }).click()
  const qr = page.getByRole('img', { name: 'QR code for the app' })
  await qr.waitFor()
  expect(await qr.evaluate('document.querySelector("img[alt^=QR]").naturalWidth > 0')).toBe(true)
  expect(await looksRight(page)).toEqual([])
  const secret = (await page.getByText(/^(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(' ', '')
  await page.getByLabel('Code that the app shows').fill(codeOf(secret, 9))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('Wrong code').waitFor()
  await page.getByLabel('Code that the app shows').fill(codeOf(secret, -1))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await codes.first().waitFor()
  expect(await codes.count()).toBe(10)
  const [, second = ''] = await codes.allInnerTexts()
  expect(await looksRight(page)).toEqual([])

  const browser = await openPage(host, '/users/sign_in?return_to=/-/user_settings/active_sessions')
  await browser.page.getByLabel('Username').fill('ada')
  await browser.page.getByLabel('Password').fill(PASSWORD)
  await browser.page.getByRole('button', { name: 'Sign in' }).click()
  await browser.page.getByLabel('Code of your app').fill(second)
  expect(await looksRight(browser.page)).toEqual([])
  await browser.page.getByRole('button', { name: 'Continue' }).click()
  await browser.page.getByText('with a recovery code').waitFor()
})

it('a user adds a passkey, signs in with it, and confirms a change with it', async () => {
  const { host } = scene()
  const person = await addPerson('grace')
  const { page, context } = await openPage(host, ACCOUNT, { as: person, expectedFailures: /^403 / })
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByLabel('Name').fill('Laptop')
  expect(await looksRight(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  expect(await looksRight(page)).toEqual([])

  await context.clearCookies()
  await page.goto(`${host.url}/users/sign_in?return_to=${ACCOUNT}`)
  await page.getByRole('link', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  expect(await looksRight(page)).toEqual([])
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor()

  await context.clearCookies()
  await page.goto(`${host.url}/users/sign_in?return_to=${ACCOUNT}`)
  await page.getByLabel('Username').fill('grace')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
  expect(await looksRight(page)).toEqual([])
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor()

  await scene().service.writeStore((database) =>
    database
      .updateTable('web_session')
      .set({ confirmed_at: null })
      .where('user_id', '=', person.id)
      .execute(),
  )
  await page.getByRole('button', { name: 'Turn two-factor authentication off' }).click()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByLabel('Confirm with').selectOption('passkey')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('There is no passkey yet.').waitFor()
})

it('a user who needs a factor sets it up after the sign-in', async () => {
  const { host, service } = scene()
  const rule = { require_two_factor_authentication: true, two_factor_grace_period: 1 }
  await service.json('PUT', '/application/settings', rule)
  await addPerson('joan')
  const { page } = await openPage(host, '/users/sign_in?return_to=/-/user_settings/active_sessions')
  await page.getByLabel('Username').fill('joan')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Later' }).waitFor()
  expect(await looksRight(page)).toEqual([])
  const secret = (await page.locator('code').innerText()).replaceAll(' ', '')
  await page.getByLabel('Code that the app shows').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('link', { name: 'I have kept them' }).waitFor()
  expect(await looksRight(page)).toEqual([])
  await page.getByRole('link', { name: 'I have kept them' }).click()
  await page.getByText('this browser').waitFor()
  await service.json('PUT', '/application/settings', { require_two_factor_authentication: false })
})
