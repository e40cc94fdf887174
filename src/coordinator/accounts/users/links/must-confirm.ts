import type { EffectiveSettings } from '../../../database/tables/application-settings.js'
import type { Transaction } from '../../../database/transaction.js'
import { mailContextOf } from '../../../integrations/mail/mail-context.js'

/** Whether users confirm the addresses of their accounts: if that is set, and mails are sent. */
export function mustConfirm(
  tx: Transaction,
  { send_user_confirmation_email: isSet }: Pick<EffectiveSettings, 'send_user_confirmation_email'>,
): boolean {
  return isSet && mailContextOf(tx) !== undefined
}
