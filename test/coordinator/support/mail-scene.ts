import { expect } from 'vitest'

import type { Services } from '../../../src/coordinator/start/services/services.js'
import { onFinished } from '../../support/lifetime.js'
import type { MailServer, ReceivedMail } from '../../support/mail-server.js'

/** Runs what writes and sends the mails of a coordinator whose settings name `server`. */
export function sendMails({ mail, database }: Services, server: MailServer) {
  if (!mail) throw new Error('The settings name no mail server')
  const stopping = new AbortController()
  const running = Promise.all([mail.notices.run(stopping.signal), mail.mails.run(stopping.signal)])
  onFinished(async () => {
    stopping.abort()
    await running
  })
  /** Waits until nothing is left to send, then empties the mailbox and returns its mails by recipient. */
  const sent = async (): Promise<ReceivedMail[]> => {
    const waiting = async () => {
      const notices = await database.selectFrom('mail_notice').select('id').execute()
      const mails = await database.selectFrom('mail').select('id').execute()
      return notices.length + mails.length
    }
    await expect.poll(waiting).toBe(0)
    return server.mails.splice(0).toSorted((one, other) => one.to.localeCompare(other.to))
  }
  return {
    sent,
    /** `name: subject` of each mail. */
    brief: async () => (await sent()).map(({ to, subject }) => `${to.split('@')[0]}: ${subject}`),
  }
}
