import { randomUUID } from 'node:crypto'

import { afterCommit, type Transaction } from '../../database/transaction.js'
import type { MailContent, NewMail } from './mail-content.js'
import { mailContextOf } from './mail-context.js'
import { insertMails } from './mail-store.js'

/** Longest subject, in characters. */
const MAX_SUBJECT_LENGTH = 250

/**
 * Stores mails in the transaction of the change that causes them, so that they are sent if and only if it commits.
 * Does nothing if this coordinator sends no mails.
 */
export async function queueMails(tx: Transaction, mails: readonly NewMail[]): Promise<void> {
  const context = mailContextOf(tx)
  if (!context || mails.length === 0) return
  const now = Date.now()
  const rows = mails.map(({ userId, ...mail }) => ({
    user_id: userId,
    content_encrypted: context.secrets.encrypt(JSON.stringify(completeMail(mail, context.externalUrl))),
    due_at: now,
    created_at: now,
  }))
  await insertMails(tx, rows)
  afterCommit(tx, context.onMail)
}

/** Adds what every mail has. */
export function completeMail(
  { fromName = null, inReplyTo = null, messageId, headers = {}, ...mail }: Omit<NewMail, 'userId'>,
  externalUrl: string,
): MailContent {
  return {
    ...mail,
    subject: oneLine(mail.subject),
    fromName: fromName === null ? null : oneLine(fromName),
    inReplyTo,
    messageId: messageId ?? `${randomUUID()}@${hostOf(externalUrl)}`,
    // These headers keep out-of-office programs from responding.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...headers },
  }
}

/** Titles and names come from users. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_SUBJECT_LENGTH)
}

/** Host name of the instance, the second half of its message IDs. */
export function hostOf(externalUrl: string): string {
  return new URL(externalUrl).hostname
}
