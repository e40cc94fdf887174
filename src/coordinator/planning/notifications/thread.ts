import type { NewMail } from '../../integrations/mail/mail-content.js'
import type { MailContext } from '../../integrations/mail/mail-context.js'
import { projectHeaders } from '../../integrations/mail/project-headers.js'
import { hostOf } from '../../integrations/mail/queue-mail.js'
import { type MailBody, renderBody } from '../../integrations/mail/render-body.js'
import type { Planned } from './planned.js'
import { REASONS, type Recipient } from './recipients.js'
import { unsubscribeUrl } from './unsubscribe.js'

/** What one mail of a thread says. */
export interface ThreadMail {
  /** Name of whose doing it is; null = the coordinator. */
  fromName: string | null
  body: Omit<MailBody, 'footer' | 'unsubscribeUrl' | 'link'>
  /** Part of the page after `#`. */
  fragment?: string
  /** Begins the Message-ID; absent for one that nothing refers to. */
  messageName?: string
}

/**
 * The mail about an issue or a merge request to one recipient. All mails about it form one thread: the first has its name
 * as Message-ID, the others refer to it.
 */
export async function threadMail(
  { externalUrl, secrets }: Pick<MailContext, 'externalUrl' | 'secrets'>,
  planned: Planned,
  { user, to, reason }: Recipient,
  { fromName, body, fragment, messageName }: ThreadMail,
): Promise<NewMail> {
  const { project, kind, row, reference, name } = planned
  const first = `${kind}_${row.id}`
  const isFirst = messageName === first
  const host = hostOf(externalUrl)
  const unsubscribe = unsubscribeUrl({ externalUrl, secrets }, { userId: user.id, kind, id: row.id })
  const url = `${externalUrl}/${planned.path}${fragment === undefined ? '' : `#${fragment}`}`
  const { text, html } = await renderBody({
    ...body,
    link: { label: `View this ${name}`, url },
    footer: [`You receive this mail because ${REASONS[reason]}.`],
    unsubscribeUrl: unsubscribe,
  })
  return {
    userId: user.id,
    to,
    fromName,
    subject: `${isFirst ? '' : 'Re: '}${project.name} | ${row.title} (${reference})`,
    text,
    html,
    ...(messageName !== undefined && { messageId: `${messageName}@${host}` }),
    inReplyTo: isFirst ? null : `${first}@${host}`,
    headers: {
      ...projectHeaders(project, host),
      [`X-GitLab-${kind === 'issue' ? 'Issue' : 'MergeRequest'}-ID`]: String(row.id),
      [`X-GitLab-${kind === 'issue' ? 'Issue' : 'MergeRequest'}-IID`]: String(row.iid),
      'X-GitLab-NotificationReason': reason,
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}
