import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { expect } from 'vitest'

import type { MailSettings } from '../../src/coordinator/integrations/mail/smtp-transport.js'
import { onFinished } from './lifetime.js'

/** A mail as it has arrived. */
export interface ReceivedMail {
  from: string
  fromName: string
  to: string
  subject: string
  text: string
  html: string
  messageId: string
  inReplyTo: string
  /** By names in lower case. */
  headers: Record<string, string>
}

/** What the server responds to a recipient; undefined = it takes the mail. */
export type Refuse = (address: string) => { code: number; message: string } | undefined

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** An SMTP server on loopback that keeps what it gets. */
export async function startMailServer({ refuse = () => undefined }: { refuse?: Refuse } = {}) {
  const mails: ReceivedMail[] = []
  let onData: (mail: ReceivedMail) => unknown = () => undefined
  const responses = { refuse }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, callback) => {
      const refusal = responses.refuse(address)
      callback(refusal && Object.assign(new Error(refusal.message), { responseCode: refusal.code }))
    },
    onData: (stream, _session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        void parsed(Buffer.concat(chunks)).then(async (mail) => {
          mails.push(mail)
          await onData(mail)
          callback()
        })
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('The mail server has no port')
  const settings: MailSettings = {
    url: `smtp://127.0.0.1:${address.port}`,
    from: { name: 'Switchyard', address: 'ci@example.com' },
  }
  return {
    mails,
    settings,
    responses,
    /** Calls `listener` with each mail that arrives; the client gets its response when it returns. */
    onMail: (listener: (mail: ReceivedMail) => unknown) => {
      onData = listener
    },
    /** Waits for this many mails in all, and returns them by recipient. */
    received: async (count: number): Promise<ReceivedMail[]> => {
      await expect.poll(() => mails.length).toBe(count)
      return mails.toSorted((one, other) => one.to.localeCompare(other.to))
    },
  }
}

async function parsed(source: Buffer): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(source)
  return {
    from: mail.from?.address ?? '',
    fromName: mail.from?.name ?? '',
    to: mail.to?.[0]?.address ?? '',
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    messageId: mail.messageId ?? '',
    inReplyTo: mail.inReplyTo ?? '',
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
  }
}
