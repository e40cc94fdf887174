import { expect, test } from 'vitest'

import { LdapServer } from '../../../../support/ldap-server.js'
import { openForFile } from '../../../../support/lifetime.js'
import { setSettings } from '../../../support/set-settings.js'
import { CODE_PAGE, enrol } from '../../app-of-user.js'
import { openSignInScene } from '../../scene.js'
import { directory, openDirectoryScene } from '../ldap-scene.js'

const server = openForFile(async () => {
  const started = await LdapServer.start()
  await started.addUser('joe', 'secret')
  return started
})

const JOE = { username: 'joe', password: 'secret' }
const RULES = { rules: { newAccounts: true } }

test('auto_sign_in shows the form of the only directory first', async () => {
  const signIn = { isAutomatic: true, providers: [directory(server(), RULES)] }
  const { visitor } = await openSignInScene({ settings: { signIn } })
  expect((await visitor().get('/users/sign_in')).body).toContain('Username at Corp')
  expect((await visitor().get('/users/sign_in?auto=0')).body).toContain('Username or e-mail address')
  expect((await visitor().get('/users/sign_in?tab=token')).body).toContain('name="token"')
})

test('where passwords of accounts are off, the directory is the usual way', async () => {
  const scene = await openDirectoryScene(RULES, { server: server() })
  await setSettings(scene, { password_authentication_enabled_for_web: false })
  const browser = scene.visitor()
  const page = await browser.get('/users/sign_in')
  expect(page.body).toContain('Username at Corp')
  expect(page.body).not.toContain('Username or e-mail address')
  await browser.submit('/users/sign_in', JOE)
  expect(await browser.name()).toBe('joe')
})

test('a button of another page leads to the form, and back to the page that was asked for', async () => {
  const { visitor } = await openDirectoryScene(RULES, { server: server() })
  const browser = visitor()
  await browser.get('/users/sign_in?return_to=/app&tab=provider%3Acorp')
  const response = await browser.submit('/users/auth/corp')
  expect(response.headers.location).toBe('/users/sign_in?return_to=%2Fapp&tab=provider%3Acorp')
  await browser.get('/users/sign_in?return_to=/app&tab=provider%3Acorp')
  expect((await browser.submit('/users/sign_in', JOE)).headers.location).toBe('/app')
  expect((await visitor().get('/users/auth/corp/callback')).statusCode).toBe(404)
})

test('a user with a second factor gives it after the password of the directory', async () => {
  const scene = await openDirectoryScene(RULES, { server: server() })
  const browser = scene.visitor()
  await scene.signIn(browser, JOE)
  const { code } = await enrol(scene, browser)
  expect((await scene.send(browser, 'confirm', JOE)).body).toContain('Confirm with your second factor')
  const other = scene.visitor()
  const waiting = await scene.signIn(other, JOE)
  expect(waiting.headers.location).toBe(CODE_PAGE)
  expect(await other.name()).toBe(401)
  await other.get(CODE_PAGE)
  await other.submit(CODE_PAGE, { code: code() })
  expect(await other.name()).toBe('joe')
})

test('a directory that is not reachable is said on the page, which has the other ways', async () => {
  const scene = await openDirectoryScene({ ...RULES, urls: ['ldap://127.0.0.1:9'] }, { server: server() })
  const response = await scene.signIn(scene.visitor(), JOE)
  expect(response.statusCode).toBe(503)
  expect(response.body).toContain('Corp is not reachable at the moment.')
  expect(response.body).toContain('>Password</a>')
})
