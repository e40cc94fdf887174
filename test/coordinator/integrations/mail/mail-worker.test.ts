import { expect, test, vi } from 'vitest'

import { setAppearance } from '../../../../src/coordinator/database/stores/appearance-store.js'
import { storeSettings } from '../../../../src/coordinator/database/stores/application-setting-store.js'
import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import { createMetrics } from '../../../../src/coordinator/http/metrics.js'
import { enableMail, mailContext } from '../../../../src/coordinator/integrations/mail/mail-context.js'
import { MailWorker } from '../../../../src/coordinator/integrations/mail/mail-worker.js'
import { queueMails } from '../../../../src/coordinator/integrations/mail/queue-mail.js'
import { smtpTransport } from '../../../../src/coordinator/integrations/mail/smtp-transport.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { describeOnEachDatabase, type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { onFinished } from '../../../support/lifetime.js'
import { type Refuse, startMailServer } from '../../../support/mail-server.js'
import { IS_NIGHTLY, testAtNight } from '../../../support/nightly.js'
import { EXTERNAL_URL, testSecrets } from '../../support/test-app.js'

const MANY = IS_NIGHTLY ? 150 : 60

/** A database on which mails are queued, and workers that send them. */
async function openOutbox(open: OpenDatabase = openSqlite, refuse?: Refuse) {
  const server = await startMailServer(refuse ? { refuse } : {})
  const { database } = await open()
  const secrets = testSecrets()
  const workers: MailWorker[] = []
  enableMail(database, {
    secrets,
    externalUrl: EXTERNAL_URL,
    onMail: () => workers.forEach((worker) => worker.wake()),
    onNotice: () => {},
  })
  const start = (url = server.settings.url) => {
    const transport = smtpTransport({ ...server.settings, url })
    const logger = createLogger('test', 'silent')
    const worker = new MailWorker({ database, secrets, transport, metrics: createMetrics(), logger })
    workers.push(worker)
    const stopping = new AbortController()
    const running = worker.run(stopping.signal)
    const stop = async () => {
      stopping.abort()
      await running
    }
    onFinished(stop)
    return stop
  }
  const queue = (...addresses: string[]) =>
    inTransaction(database, (tx) =>
      queueMails(
        tx,
        addresses.map((address) => ({
          userId: null,
          to: { name: 'Ada', address },
          subject: `To ${address}`,
          text: 'Hello\n',
          html: '<p>Hello</p>\n</body></html>\n',
        })),
      ),
    )
  const waiting = () => database.selectFrom('mail').selectAll().orderBy('id').execute()
  /** Waits until this many mails are stored and none of them is being sent. */
  const left = async (count: number) => {
    await expect.poll(async () => (await waiting()).length).toBe(count)
    return waiting()
  }
  return { server, database, start, queue, waiting, left }
}

describeOnEachDatabase('the outbox of mails', (open) => {
  test('sends each mail once, with several coordinators', async () => {
    const { server, start, queue, left } = await openOutbox(open)
    start()
    start()
    const addresses = Array.from({ length: MANY }, (_, index) => `user${index}@example.com`)
    await queue(...addresses)
    await left(0)
    expect(server.mails.map(({ to }) => to).toSorted()).toEqual(addresses.toSorted())
    expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(MANY)
  })

  testAtNight('keeps a mail that the server does not take now, and tries again when it is due', async () => {
    const { server, database, start, queue, waiting } = await openOutbox(open, () => ({
      code: 451,
      message: 'busy',
    }))
    const stop = start()
    await queue('ada@example.com')
    await expect.poll(async () => (await waiting())[0]?.attempts).toBe(1)
    await stop()
    const [mail] = await waiting()
    const delay = (mail?.due_at ?? 0) - Date.now()
    expect(delay).toBeGreaterThan(0)
    expect(delay).toBeLessThanOrEqual(60_000)
    expect(server.mails).toEqual([])

    server.responses.refuse = () => undefined
    await database.updateTable('mail').set({ due_at: Date.now() }).execute()
    start()
    await server.received(1)
  })
})

test('a mail that the server refuses is given up, and the others are sent', async () => {
  const { server, start, queue, left } = await openOutbox(openSqlite, (address) =>
    address.startsWith('gone') ? { code: 550, message: 'no such user' } : undefined,
  )
  start()
  await queue('gone@example.com', 'ada@example.com')
  await left(0)
  expect(server.mails.map(({ to }) => to)).toEqual(['ada@example.com'])
})

test('while the server is away, mails wait, and the attempts of one stand for all', async () => {
  const { queue, start, waiting } = await openOutbox()
  // Nothing listens on port 1.
  const stop = start('smtp://127.0.0.1:1')
  await queue(...Array.from({ length: 50 }, (_, index) => `user${index}@example.com`))
  await expect.poll(async () => (await waiting()).some(({ attempts }) => attempts > 0)).toBe(true)
  await stop()
  const rows = await waiting()
  expect(rows).toHaveLength(50)
  expect(rows.filter(({ attempts }) => attempts > 0).length).toBeLessThanOrEqual(8)
})

test('a mail whose coordinator was killed after the server took it is sent again with the same ID', async () => {
  const { server, database, start, queue } = await openOutbox()
  // The server has the mail, and the coordinator cannot record that: as if it was killed.
  let isKilled = false
  const deletion = vi.spyOn(database, 'deleteFrom')
  server.onMail(() => {
    if (isKilled) return
    isKilled = true
    deletion.mockImplementationOnce(() => {
      throw new Error('killed')
    })
  })
  const stop = start()
  await queue('ada@example.com')
  await server.received(1)
  await stop()
  deletion.mockRestore()
  await database.updateTable('mail').set({ due_at: Date.now() }).execute()
  start()
  const [first, second] = await server.received(2)
  expect(second?.messageId).toBe(first?.messageId)
  await expect.poll(() => database.selectFrom('mail').select('id').execute()).toEqual([])
})

test('mails end with the text of the settings at that time', async () => {
  const { server, database, start, queue } = await openOutbox()
  await inTransaction(database, (tx) =>
    storeSettings(tx, [
      {
        name: 'email_additional_text',
        value: JSON.stringify('For <staff> only.\nExample Ltd\n'),
        value_encrypted: null,
        updated_at: 1,
      },
    ]),
  )
  start()
  await queue('ada@example.com')
  const [mail] = await server.received(1)
  expect(mail?.text.trimEnd()).toBe('Hello\n\nFor <staff> only.\nExample Ltd')
  expect(mail?.html).toMatch(/For &lt;staff&gt; only\.<br>Example Ltd<\/p>\n<\/body><\/html>\s*$/)
})

test('mails have the messages of the instance where administrators want that', async () => {
  const { server, database, start, queue } = await openOutbox()
  const messages = { header_message: 'Read <this>', footer_message: 'Example Ltd' }
  await setAppearance(database, messages)
  start()
  await queue('ada@example.com')
  const [plain] = await server.received(1)
  expect(plain?.text.trimEnd()).toBe('Hello')
  await setAppearance(database, { email_header_and_footer_enabled: true })
  await queue('ada@example.com')
  const [, mail] = await server.received(2)
  expect(mail?.text.trimEnd()).toBe('Read <this>\n\nHello\n\nExample Ltd')
  expect(mail?.html).toMatch(/^\s*<p>Read &lt;this&gt;<\/p>[^]*Example Ltd<\/p>\n<\/body><\/html>\s*$/)
})

test('mails are encrypted at rest', async () => {
  const { database, queue, waiting } = await openOutbox()
  await queue('ada@example.com')
  const [mail] = await waiting()
  expect(mail?.content_encrypted).not.toContain('example.com')
  expect(mailContext(database)?.secrets.decrypt(mail?.content_encrypted ?? '')).toContain('ada@example.com')
})

test('a rolled back change sends no mail', async () => {
  const { database, start, server, queue } = await openOutbox()
  start()
  const failing = inTransaction(database, async (tx) => {
    await queueMails(tx, [
      { userId: null, to: { name: 'x', address: 'x@example.com' }, subject: 'x', text: 'x', html: 'x' },
    ])
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  await queue('ada@example.com')
  expect((await server.received(1)).map(({ to }) => to)).toEqual(['ada@example.com'])
})
