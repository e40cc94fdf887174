import { expect, test } from 'vitest'

import { setPasswordByLink } from '../../../src/coordinator/accounts/users/account-links.js'
import { createAccountLink } from '../../../src/coordinator/accounts/users/links/store.js'
import { inTransaction } from '../../../src/coordinator/database/transaction.js'
import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../support/databases.js'
import { testAtNight } from '../../support/nightly.js'
import { type Browser, callAs, openBrowser } from '../support/browser.js'
import { openPeopleApi } from '../support/people-api.js'
import { addPerson } from '../support/test-app.js'

async function open(openDatabase: OpenDatabase = openSqlite) {
  const api = await openPeopleApi({ open: openDatabase })
  const mary = await addPerson(api.database, 'mary')
  const statusOf = async (browser: Browser) => (await callAs(api.app, browser, 'GET /user')).statusCode
  return Object.assign(api, { mary, statusOf, call: api.call.bind(api) })
}

describeOnDatabase('sessions', (openDatabase) => {
  test('end when an administrator sets a password', async () => {
    const { database, call, root, mary, statusOf } = await open(openDatabase)
    const browser = await openBrowser(database, mary)
    const other = await openBrowser(database, root)
    const response = await call(root, `PUT /users/${mary.id}`, { password: 'correct horse battery' })
    expect(response.statusCode).toBe(200)
    expect([await statusOf(browser), await statusOf(other)]).toEqual([401, 200])
  })
})

test('the session that changes the password stays', async () => {
  const { app, database, root, statusOf } = await open()
  const [browser, other] = [await openBrowser(database, root), await openBrowser(database, root)]
  const change = { password: 'correct horse battery' }
  expect((await callAs(app, browser, `PUT /users/${root.id}`, change)).statusCode).toBe(200)
  expect([await statusOf(browser), await statusOf(other)]).toEqual([200, 401])
})

test('a change without a password ends no session', async () => {
  const { database, call, root, mary, statusOf } = await open()
  const browser = await openBrowser(database, mary)
  expect((await call(root, `PUT /users/${mary.id}`, { name: 'Maria' })).statusCode).toBe(200)
  expect(await statusOf(browser)).toBe(200)
})

test('a password that is set by a link of a mail ends the sessions', async () => {
  const { database, mary, statusOf } = await open()
  const browser = await openBrowser(database, mary)
  const token = await inTransaction(database, (tx) =>
    createAccountLink(tx, { userId: mary.id, kind: 'password', email: mary.email, life: 60_000 }),
  )
  const change = { token, password: 'correct horse battery', address: '127.0.0.1' }
  expect(await setPasswordByLink(database, change, () => Promise.resolve())).toBe(true)
  expect(await statusOf(browser)).toBe(401)
})

test.each([
  ['block', 'unblock'],
  ['ban', 'unban'],
  ['deactivate', 'activate'],
])('sessions of a user end with %s and do not come back with %s', async (shut, reopen) => {
  const { database, call, root, mary, statusOf } = await open()
  const browser = await openBrowser(database, mary)
  for (const change of [shut, reopen]) {
    expect((await call(root, `POST /users/${mary.id}/${change}`)).statusCode).toBe(201)
    expect(await statusOf(browser)).toBe(401)
  }
})

testAtNight('sessions of a user end when the account is deleted', async () => {
  const { database, call, root, mary, statusOf } = await open()
  const browser = await openBrowser(database, mary)
  expect((await call(root, `DELETE /users/${mary.id}`)).statusCode).toBe(204)
  expect(await statusOf(browser)).toBe(401)
})
