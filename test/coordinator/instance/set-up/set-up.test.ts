import { expect, test } from 'vitest'

import { openSetUp } from '../../../../src/coordinator/database/stores/set-up-store.js'
import { setUpOperations } from '../../../../src/coordinator/instance/set-up/operations.js'
import type { SetUp } from '../../../../src/coordinator/instance/set-up/schema.js'
import { type SetUpFacts, stepsOf } from '../../../../src/coordinator/instance/set-up/steps.js'
import { smtpTransport } from '../../../../src/coordinator/integrations/mail/smtp-transport.js'
import { setUpDeps } from '../../../../src/coordinator/start/setting-deps.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { onFinished } from '../../../support/lifetime.js'
import { startMailServer } from '../../../support/mail-server.js'
import { testAtNight } from '../../../support/nightly.js'
import { addPerson } from '../../support/test-app.js'
import { openTestApp, openTestServices } from '../../support/test-coordinator.js'

const FACTS: SetUpFacts = {
  externalUrl: 'https://ci.example.com',
  isUrlConfigured: true,
  sendsMails: true,
  providers: [],
  administrator: { hasPassword: true, hasIdentity: false, hasPasskey: false },
  counts: { groups: 1, projects: 1 },
  runners: { online: 1, total: 1 },
  lastBackupAt: '2026-01-02T03:04:05Z',
}
const RECORD = { isFinished: false, skipped: new Set<never>(), mailTestedAt: 0 }

const open = (facts: Partial<SetUpFacts>, record: Partial<Parameters<typeof stepsOf>[1]> = {}) =>
  stepsOf({ ...FACTS, ...facts }, { ...RECORD, ...record }).flatMap(({ name, state }) =>
    state === 'open' ? [name] : [],
  )

test('a step is open until what it is about is the case', () => {
  expect(open({})).toEqual([])
  expect(open({ isUrlConfigured: false })).toEqual(['address'])
  expect(open({ externalUrl: 'http://ci.example.com' })).toEqual(['address'])
  expect(open({ externalUrl: 'http://127.0.0.1:8929' })).toEqual([])
  expect(open({ sendsMails: false })).toEqual(['mail'])
  expect(open({}, { mailTestedAt: undefined })).toEqual(['mail'])
  const none = { hasPassword: false, hasIdentity: false, hasPasskey: false }
  expect(open({ administrator: none })).toEqual(['sign_in'])
  for (const way of Object.keys(none)) expect(open({ administrator: { ...none, [way]: true } })).toEqual([])
  expect(open({ counts: { groups: 0, projects: 0 } })).toEqual(['group', 'project'])
  expect(open({ runners: { online: 0, total: 1 } })).toEqual(['runner'])
  expect(open({ lastBackupAt: undefined })).toEqual(['backup'])
})

describeOnDatabase('the set-up of an instance', (openDatabase) => {
  async function openScene(responses: Parameters<typeof startMailServer>[0] = {}) {
    const server = await startMailServer(responses)
    const mailTransport = smtpTransport(server.settings)
    // The server closes when no connection is open.
    onFinished(() => mailTransport.close())
    const services = await openTestServices({ open: openDatabase })
    const app = openTestApp(services, {
      operations: (all, deps) => setUpOperations({ ...setUpDeps(all, deps), mailTransport }),
    })
    const root = await addPerson(services.database, 'root', { admin: true })
    const call = (route: string, body?: object) => app.call(root, route, body)
    const read = async () => (await call('GET /admin/set_up')).json<SetUp>()
    const stateOf = async (step: string) => (await read()).steps.find(({ name }) => name === step)?.state
    return { ...services, call, read, stateOf, server, root }
  }

  test('is open in a new installation until an administrator ends it, and ended in an older one', async () => {
    const { call, read, database } = await openScene()
    expect((await read()).finished).toBe(true)
    await openSetUp(database)
    expect((await read()).finished).toBe(false)
    expect((await call('PUT /admin/set_up', { finished: true })).json()).toMatchObject({ finished: true })
    // The next start of the coordinator does not open it again.
    await openSetUp(database)
    expect((await read()).finished).toBe(true)
    await call('PUT /admin/set_up', { finished: false })
    expect((await read()).finished).toBe(false)
  })

  test('a step is skipped and resumed, and is shown as done once it is done elsewhere', async () => {
    const { call, stateOf, database, root } = await openScene()
    await call('PUT /admin/set_up/steps/sign_in', { skipped: true })
    await call('PUT /admin/set_up/steps/backup', { skipped: true })
    expect(await stateOf('sign_in')).toBe('skipped')
    await call('PUT /admin/set_up/steps/backup', { skipped: false })
    expect(await stateOf('backup')).toBe('open')
    const password = { user_id: root.id, hash: 'h', changed_at: 0 }
    await database.insertInto('user_password').values(password).execute()
    expect(await stateOf('sign_in')).toBe('done')
    expect((await call('PUT /admin/set_up/steps/lunch', { skipped: true })).statusCode).toBe(400)
  })

  testAtNight(
    'a test mail goes to the address, and the step is done when the mail server takes it',
    async () => {
      const { call, stateOf, server, root } = await openScene()
      expect(await stateOf('mail')).toBe('open')
      const response = await call('POST /admin/set_up/test_mail', { to: 'ada@example.com' })
      expect([response.statusCode, response.json()]).toEqual([201, { to: 'ada@example.com' }])
      await call('POST /admin/set_up/test_mail')
      expect(server.mails.map(({ to }) => to)).toEqual(['ada@example.com', root.email])
      expect(server.mails[0]?.text).toContain('This is a test: http://switchyard.example sends mails.')
      expect(await stateOf('mail')).toBe('done')
    },
  )

  testAtNight('what the mail server says against a test is shown, and the step stays open', async () => {
    const refuse = () => ({ code: 550, message: 'no such mailbox' })
    const { call, stateOf } = await openScene({ refuse })
    const response = await call('POST /admin/set_up/test_mail', { to: 'ada@example.com' })
    expect(response.statusCode).toBe(502)
    expect(response.body).toContain('The mail server has not taken the test: ')
    expect(response.body).toContain('no such mailbox')
    expect(await stateOf('mail')).toBe('open')
  })

  test.each(['ada', 'a@example.com, b@example.com', 'a@example.com\r\nBcc: b@example.com'])(
    '%j is no address for a test',
    async (to) => {
      const { call, server } = await openScene()
      expect((await call('POST /admin/set_up/test_mail', { to })).statusCode).toBe(400)
      expect(server.mails).toEqual([])
    },
  )
})
