import { DAY, HOUR } from '../../../../lib/time-units.js'
import type { User } from '../../../access/caller.js'
import type { Transaction } from '../../../database/transaction.js'
import type { NewMail } from '../../../integrations/mail/mail-content.js'
import { mailContextOf } from '../../../integrations/mail/mail-context.js'
import { queueMails } from '../../../integrations/mail/queue-mail.js'
import { type MailBody, renderBody } from '../../../integrations/mail/render-body.js'
import { createAccountLink } from './store.js'

/** Lifetimes of links, in milliseconds. */
const CONFIRMATION_LIFE = 3 * DAY
const NEW_ACCOUNT_LIFE = 7 * DAY
const RESET_LIFE = 6 * HOUR

type Recipient = Pick<User, 'id' | 'name' | 'username' | 'email'>

/** Asks the owner of an address to confirm it. Does nothing if no mails are sent. */
export async function mailConfirmation(
  tx: Transaction,
  user: Recipient,
  { email, kind }: { email: string; kind: 'primary_email' | 'other_email' },
): Promise<void> {
  const context = mailContextOf(tx)
  if (!context) return
  const token = await createAccountLink(tx, { userId: user.id, kind, email, life: CONFIRMATION_LIFE })
  await send(tx, user, email, 'Confirm your e-mail address', {
    lead: [
      `Hello ${user.name},`,
      `please confirm that ${email} is an address of the account ${user.username}. The link is valid for 3 days.`,
    ],
    link: {
      label: 'Confirm the address',
      url: `${context.externalUrl}/users/confirmation?confirmation_token=${token}`,
    },
    footer: ['If you do not know the account, ignore this mail.'],
  })
}

/** Sends a link that sets a password: of a new account, or of one whose user has forgotten it. */
export async function mailPasswordLink(
  tx: Transaction,
  user: Recipient,
  reason: 'new' | 'forgotten',
): Promise<void> {
  const context = mailContextOf(tx)
  if (!context) return
  const isNew = reason === 'new'
  const life = isNew ? NEW_ACCOUNT_LIFE : RESET_LIFE
  const token = await createAccountLink(tx, { userId: user.id, kind: 'password', email: user.email, life })
  await send(tx, user, user.email, isNew ? 'Your account was created' : 'Reset your password', {
    lead: [
      `Hello ${user.name},`,
      isNew
        ? `an administrator has created the account ${user.username} for you. Choose a password within 7 days.`
        : `somebody, probably you, has asked to reset the password of the account ${user.username}. The link is valid for 6 hours.`,
    ],
    details: [['Username', user.username]],
    link: {
      label: isNew ? 'Choose a password' : 'Choose another password',
      url: `${context.externalUrl}/users/password/edit?reset_password_token=${token}`,
    },
    footer: [
      isNew
        ? 'You receive this mail because the account has your address.'
        : 'If it was not you, ignore this mail: your password stays as it is.',
    ],
  })
}

/** Says that the password of an account is another one now. */
export async function mailPasswordChanged(tx: Transaction, user: Recipient): Promise<void> {
  await send(tx, user, user.email, 'Your password was changed', {
    lead: [`Hello ${user.name},`, `the password of the account ${user.username} was changed.`],
    footer: ['If it was neither you nor an administrator, reset it at once.'],
  })
}

/** Says to the old address that the account gets another one. */
export async function mailAddressChanging(tx: Transaction, user: Recipient, next: string): Promise<void> {
  await send(tx, user, user.email, 'Your e-mail address is being changed', {
    lead: [
      `Hello ${user.name},`,
      `the account ${user.username} will have the address ${next} once it is confirmed there.`,
    ],
    footer: ['If it was neither you nor an administrator, tell your administrator.'],
  })
}

/** Says that somebody has signed in from an address that is not among the last two. */
export async function mailUnknownSignIn(
  tx: Transaction,
  { userId, address, at }: { userId: number; address: string; at: number },
): Promise<void> {
  const user = await tx
    .selectFrom('user')
    .selectAll()
    .where('id', '=', userId)
    .where('state', '=', 'active')
    .executeTakeFirst()
  if (!user) return
  await send(tx, user, user.email, 'Sign-in from another address', {
    lead: [`Hello ${user.name},`, 'somebody has signed in to your account with its password.'],
    details: [
      ['Account', user.username],
      ['IP address', address],
      ['Time', `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`],
    ],
    footer: ['If it was not you, change your password and revoke your access tokens.'],
  })
}

/** Says that access tokens of a user end soon. */
export async function mailEndingTokens(
  tx: Transaction,
  user: Recipient,
  tokens: readonly { name: string; expires_at: number | null }[],
): Promise<void> {
  await send(tx, user, user.email, 'Your access tokens end soon', {
    lead: [`Hello ${user.name},`, 'these access tokens of yours end within seven days:'],
    details: tokens.map(({ name, expires_at }) => [name, `until ${dayOf(expires_at)}`]),
    footer: ['Create or rotate tokens before, so that programs which use them go on.'],
  })
}

/** The project or group whose tokens end. */
export interface TokenOwner {
  kind: 'project' | 'group'
  id: number
  full_path: string
  /** The group, or that of the project. */
  namespace_id: number
}

/** Says to those who manage a project or group that tokens of it end soon. */
export async function mailEndingBotTokens(
  tx: Transaction,
  user: Recipient,
  { kind, full_path }: TokenOwner,
  tokens: readonly { name: string; expires_at: number | null }[],
): Promise<void> {
  const role = kind === 'project' ? 'maintainer' : 'owner'
  await send(tx, user, user.email, `Access tokens of ${full_path} end soon`, {
    lead: [`Hello ${user.name},`, `these access tokens of the ${kind} ${full_path} end within seven days:`],
    details: tokens.map(({ name, expires_at }) => [name, `until ${dayOf(expires_at)}`]),
    footer: [
      'Create or rotate tokens before, so that programs which use them go on.',
      `You receive this mail because you are a ${role} of the ${kind}.`,
    ],
  })
}

/** Says that SSH keys of a user end soon. */
export async function mailEndingKeys(
  tx: Transaction,
  user: Recipient,
  keys: readonly { title: string; fingerprint_sha256: string; expires_at: number | null }[],
): Promise<void> {
  await send(tx, user, user.email, 'Your SSH keys end soon', {
    lead: [`Hello ${user.name},`, 'these SSH keys of yours end within seven days:'],
    details: keys.map(({ title, fingerprint_sha256, expires_at }) => [
      title,
      `SHA256:${fingerprint_sha256}, until ${dayOf(expires_at)}`,
    ]),
    footer: ['Add another key before, so that git over SSH goes on.'],
  })
}

function dayOf(time: number | null): string {
  return new Date(time ?? 0).toISOString().slice(0, 10)
}

async function send(
  tx: Transaction,
  user: Recipient,
  address: string,
  subject: string,
  body: MailBody,
): Promise<void> {
  const mail: NewMail = {
    userId: user.id,
    to: { name: user.name, address },
    subject,
    ...(await renderBody(body)),
  }
  await queueMails(tx, [mail])
}
