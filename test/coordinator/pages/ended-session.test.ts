import Fastify from 'fastify'
import { expect, test } from 'vitest'

import { setAppearance } from '../../../src/coordinator/database/stores/appearance-store.js'
import { Authenticator } from '../../../src/coordinator/http/authentication/authenticator.js'
import { createSessionReader } from '../../../src/coordinator/http/authentication/read-session.js'
import { pageHandler } from '../../../src/coordinator/pages/serve-page.js'
import { openSqlite } from '../../support/databases.js'
import { onFinished } from '../../support/lifetime.js'
import { openBrowser } from '../support/browser.js'
import { setSettings } from '../support/set-settings.js'
import { addPerson, EXTERNAL_URL } from '../support/test-app.js'

const FILES = { entry: '/assets/main.js', styles: [], modules: [] }

async function open() {
  const { database } = await openSqlite()
  const readSession = createSessionReader({
    authenticator: new Authenticator(database),
    externalUrl: EXTERNAL_URL,
  })
  const servePage = pageHandler({
    database,
    build: { id: 'x', filesOf: () => FILES, frame: FILES },
    externalUrl: EXTERNAL_URL,
    servesSsh: false,
    readSession,
    readCaller: () => Promise.resolve({ kind: 'anonymous' }),
    findProject: () => Promise.resolve(undefined),
    findGroup: () => Promise.resolve(undefined),
    findUser: () => Promise.resolve(undefined),
    maySee: () => Promise.resolve(false),
    maySeeGroup: () => Promise.resolve(false),
  })
  const app = Fastify()
  app.get('*', async (request, reply) => {
    await servePage(request, reply)
    return reply
  })
  onFinished(() => app.close())
  return { app, database, browser: await openBrowser(database, await addPerson(database, 'mary')) }
}

test('a page deletes the cookie of a session that has ended, with which the API would refuse what is public', async () => {
  const { app, database, browser } = await open()
  const cookieSetFor = async (url: string) => {
    const response = await app.inject({ url, headers: { ...browser.headers, accept: 'text/html' } })
    return response.headers['set-cookie']
  }
  expect(await cookieSetFor('/explore/projects')).toBeUndefined()
  await database.deleteFrom('web_session').execute()
  const deleted = 'switchyard_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'
  expect(await cookieSetFor('/explore/projects')).toBe(deleted)
  expect(await cookieSetFor('/admin')).toBe(deleted)
})

test('every page leads to the terms of service until they are accepted', async () => {
  const { app, database, browser } = await open()
  await setSettings({ database }, { enforce_terms: true, terms: 'Be kind.' })
  const read = (headers: Record<string, string>) =>
    app.inject({ url: '/explore/projects?sort=name', headers: { ...headers, accept: 'text/html' } })
  const { location } = (await read(browser.headers)).headers
  expect(location).toBe('/-/users/terms?redirect=%2Fexplore%2Fprojects%3Fsort%3Dname')
  expect((await read({})).statusCode).toBe(200)
})

test('every page has the messages and images that administrators have chosen, and no markup of theirs', async () => {
  const { app, database } = await open()
  const read = async () => {
    const { body } = await app.inject({ url: '/explore/projects', headers: { accept: 'text/html' } })
    return body
  }
  const plain = await read()
  expect(plain).toContain('href="/favicon.svg"')
  expect(plain).not.toContain('instance-message')
  await setAppearance(database, {
    header_message: 'Down <b>tonight</b>',
    footer_message: 'Example Ltd',
    message_background_color: '#123',
    message_font_color: '#fedcba',
    header_logo: { name: 'a.png', key: 'appearance/1/a.png' },
    favicon: { name: 'f.ico', key: 'appearance/1/f.ico' },
  })
  const html = await read()
  expect(html).toContain('>Down &lt;b&gt;tonight&lt;/b&gt;</aside>\n    <div id="page">')
  expect(html).toContain('>Example Ltd</aside>\n  </body>')
  expect(html).toMatch(
    /<style nonce="[^"]+">\.instance-message \{ background: #123; color: #fedcba \}<\/style>/,
  )
  expect(html).toContain('<link rel="icon" href="/uploads/-/system/appearance/favicon/1/f.ico">')
  expect(html).toContain('"header_logo":"/uploads/-/system/appearance/header_logo/1/a.png"')
})
