import { apiError } from '../../http/errors.js'
import { completeMail } from '../../integrations/mail/queue-mail.js'
import { renderBody } from '../../integrations/mail/render-body.js'
import type { SetUpDeps } from './facts.js'

/** Throws `mail_not_configured`, or `test_mail_failed` with what the mail server has said. */
export async function sendTestMail(
  { mailTransport, externalUrl }: Pick<SetUpDeps, 'mailTransport' | 'externalUrl'>,
  to: string,
): Promise<void> {
  if (!mailTransport) throw apiError('mail_not_configured')
  const body = await renderBody({
    lead: [`This is a test: ${externalUrl} sends mails.`],
    footer: ['An administrator has asked for this mail in the set-up of the instance.'],
  })
  const mail = { to: { name: '', address: to }, subject: 'Test of the mail server', ...body }
  const result = await mailTransport.send(completeMail(mail, externalUrl), { html: true })
  if (result.outcome !== 'sent') {
    throw apiError('test_mail_failed', { reason: result.reason }, { cause: result.cause })
  }
}
