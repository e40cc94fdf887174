import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { storeOf, type Transaction } from '../../database/transaction.js'

/** What writing mails needs. */
export interface MailContext {
  secrets: SecretBox
  /** Without a trailing slash. */
  externalUrl: string
  /** Called when mails or notices were stored. */
  onMail: () => void
  onNotice: () => void
}

const contexts = new WeakMap<Database, MailContext>()

/** Makes changes of this database send mails from now on. */
export function enableMail(database: Database, context: MailContext): void {
  contexts.set(database, context)
}

/** Undefined if this coordinator sends no mails. */
export function mailContext(database: Database): MailContext | undefined {
  return contexts.get(database)
}

/** As `mailContext`, for the database of an open transaction. */
export function mailContextOf(tx: Transaction): MailContext | undefined {
  return contexts.get(storeOf(tx))
}
