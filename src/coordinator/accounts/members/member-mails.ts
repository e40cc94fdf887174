import { LEVEL_NAMES } from '../../access/level-names.js'
import type { Transaction } from '../../database/transaction.js'
import { mailContextOf } from '../../integrations/mail/mail-context.js'
import { queueMails } from '../../integrations/mail/queue-mail.js'
import { mailAddressOf, reachableUsers } from '../../integrations/mail/recipient.js'
import { renderBody } from '../../integrations/mail/render-body.js'
import type { Source } from './source.js'

/** The user who invites or adds somebody; undefined = the coordinator. */
type Inviter = { name: string } | undefined

/** Tells an address without an account that it is invited. Does nothing if no mails are sent. */
export async function mailInvitation(
  tx: Transaction,
  source: Source,
  { email, access_level }: { email: string; access_level: number },
  inviter: Inviter,
): Promise<void> {
  const context = mailContextOf(tx)
  const path = context && (await pathOf(tx, source))
  if (!context || path === undefined) return
  const { externalUrl } = context
  await queueMails(tx, [
    {
      userId: null,
      to: { name: '', address: email },
      fromName: inviter?.name ?? null,
      subject: `Invitation to the ${source.kind} ${path}`,
      ...(await renderBody({
        lead: [
          `${inviter?.name ?? 'An administrator'} invites you to the ${source.kind} ${path} as ${roleOf(access_level)}.`,
          `You are a member as soon as you have an account with the address ${email} at ${externalUrl}.`,
        ],
        link: { label: `View the ${source.kind}`, url: `${externalUrl}/${path}` },
        footer: ['If you do not know who invites you, ignore this mail.'],
      })),
    },
  ])
}

/** Tells a user that they are a member now. */
export async function mailMembership(
  tx: Transaction,
  source: Source,
  { user_id, access_level }: { user_id: number; access_level: number },
  inviter: ({ id: number } & NonNullable<Inviter>) | undefined,
): Promise<void> {
  const context = mailContextOf(tx)
  const path = context && (await pathOf(tx, source))
  const [user] = context && user_id !== inviter?.id ? await reachableUsers(tx, [user_id]) : []
  if (!context || !user || path === undefined) return
  await queueMails(tx, [
    {
      userId: user.id,
      to: await mailAddressOf(tx, user),
      fromName: inviter?.name ?? null,
      subject: `You are a member of the ${source.kind} ${path}`,
      ...(await renderBody({
        lead: [
          `${inviter?.name ?? 'An administrator'} has added you to the ${source.kind} ${path} as ${roleOf(access_level)}.`,
        ],
        link: { label: `View the ${source.kind}`, url: `${context.externalUrl}/${path}` },
        footer: ['You receive this mail because your access has changed.'],
      })),
    },
  ])
}

function roleOf(level: number): string {
  return LEVEL_NAMES.get(level) ?? String(level)
}

async function pathOf(tx: Transaction, { kind, id }: Source): Promise<string | undefined> {
  const row = await tx
    .selectFrom(kind === 'project' ? 'project' : 'namespace')
    .select('full_path')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.full_path
}
