import { Type } from 'typebox'

import { isEmailAddress } from '../../../../lib/is-email-address.js'
import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { updateProfile } from '../../../database/stores/user-profile-store.js'
import { inTransaction } from '../../../database/transaction.js'
import { isUniqueViolation } from '../../../database/unique-violation.js'
import { invalidRecord, notFound } from '../../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../../http/operation.js'
import { described } from '../../../http/parameters/described.js'
import { isoTimeOrNull } from '../../../http/presenters/present-time.js'
import { mailConfirmation } from '../links/account-mails.js'
import { isEmailTaken } from '../store.js'
import { existingUser } from '../users.js'
import { Email } from './schema.js'
import { deleteEmailRow, type EmailRow, findEmail, insertEmail, listEmails } from './store.js'

const UserNumber = Type.Object({ id: described(Type.Integer(), 'ID of the user.') })
const EmailId = Type.Object({ email_id: described(Type.Integer(), 'ID of the e-mail address.') })
const EmailIdOfUser = Type.Object({ ...UserNumber.properties, ...EmailId.properties })
const AddEmail = Type.Object({
  email: described(Type.String({ minLength: 1, maxLength: 254 }), 'E-mail address; unique among all users.'),
  skip_confirmation: described(
    Type.Optional(Type.Boolean()),
    'Whether the address counts as confirmed, for administrators alone; default false. An address that is not confirmed is ' +
      'not shown, not used in commits, and other users may add it too. The user confirms it by a link in a mail, if mails are sent.',
  ),
})
const AddEmailToUser = Type.Object({ ...UserNumber.properties, ...AddEmail.properties })

/** Secondary e-mail addresses of users (API, H). */
export function emailOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /user/emails', {
      summary: 'List e-mail addresses of the current user',
      access: 'user',
      scopes: ['read_user'],
      responses: { 200: Type.Array(Email) },
      run: async ({ user }) => (await listEmails(database, user.id)).map(present),
    }),
    operation('GET /user/emails/:email_id', {
      summary: 'Get an e-mail address of the current user',
      access: 'user',
      params: EmailId,
      responses: { 200: Email },
      run: async ({ user, params }) => present(await existingEmail(database, user.id, params.email_id)),
    }),
    operation('POST /user/emails', {
      summary: 'Add an e-mail address for the current user',
      access: 'user',
      params: AddEmail,
      responses: { 201: Email },
      run: async ({ user, params }) => {
        const isConfirmed = user.is_admin && params.skip_confirmation === true
        return present(await addEmail(database, user, { email: params.email, isConfirmed }))
      },
    }),
    operation('DELETE /user/emails/:email_id', {
      summary: 'Delete an e-mail address of the current user',
      access: 'user',
      params: EmailId,
      responses: { 204: NoBody },
      run: async ({ user, params }) => {
        await deleteEmail(database, user.id, params.email_id)
        return respond(204)
      },
    }),
    operation('GET /users/:id/emails', {
      summary: 'List e-mail addresses of a user',
      access: 'administrator',
      params: UserNumber,
      responses: { 200: Type.Array(Email) },
      run: async ({ params }) => {
        const user = await existingUser(database, params.id)
        return (await listEmails(database, user.id)).map(present)
      },
    }),
    operation('POST /users/:id/emails', {
      summary: 'Add an e-mail address for a user',
      access: 'administrator',
      params: AddEmailToUser,
      responses: { 201: Email },
      run: async ({ params }) => {
        const user = await existingUser(database, params.id)
        const isConfirmed = params.skip_confirmation === true
        return present(await addEmail(database, user, { email: params.email, isConfirmed }))
      },
    }),
    operation('DELETE /users/:id/emails/:email_id', {
      summary: 'Delete an e-mail address of a user',
      access: 'administrator',
      params: EmailIdOfUser,
      responses: { 204: NoBody },
      run: async ({ params }) => {
        const user = await existingUser(database, params.id)
        await deleteEmail(database, user.id, params.email_id)
        return respond(204)
      },
    }),
  ]
}

function present({ id, email, confirmed_at }: EmailRow): Email {
  return { id, email, confirmed_at: isoTimeOrNull(confirmed_at) }
}

async function existingEmail(database: Database, userId: number, id: number): Promise<EmailRow> {
  const row = await findEmail(database, userId, id)
  if (!row) throw notFound('Email')
  return row
}

async function addEmail(
  database: Database,
  user: User,
  claim: { email: string; isConfirmed: boolean },
): Promise<EmailRow> {
  const { email } = claim
  if (!isEmailAddress(email)) throw invalidRecord({ email: ['is invalid'] })
  try {
    return await inTransaction(database, async (tx) => {
      if (await isEmailTaken(tx, email)) throw taken()
      if (!claim.isConfirmed) await mailConfirmation(tx, user, { email, kind: 'other_email' })
      return insertEmail(tx, user.id, claim)
    })
  } catch (error) {
    throw isUniqueViolation(error) ? taken() : error
  }
}

function taken() {
  return invalidRecord({ email: ['has already been taken'] })
}

/** An address that the user no longer has must not be shown or used in commits. */
async function deleteEmail(database: Database, userId: number, id: number): Promise<void> {
  await inTransaction(database, async (tx) => {
    const { email } = await existingEmail(tx, userId, id)
    await deleteEmailRow(tx, userId, id)
    const profile = await tx
      .selectFrom('user_profile')
      .select(['public_email', 'commit_email'])
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    await updateProfile(tx, userId, {
      ...(profile.public_email === email && { public_email: null }),
      ...(profile.commit_email === email && { commit_email: null }),
    })
  })
}
