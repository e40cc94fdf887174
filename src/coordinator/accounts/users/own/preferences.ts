import { type Static, Type } from 'typebox'

import type { Database } from '../../../database/connect.js'
import { described } from '../../../http/parameters/described.js'
import { updateProfile } from '../store.js'

const FileByFile = described(Type.Boolean(), 'Show one file of a difference at a time.')
const Whitespace = described(Type.Boolean(), 'Show changes of white space.')
const Identities = described(
  Type.Boolean(),
  'Tell jobs who the user is to other services, in the tokens by which jobs show who they are.',
)

export const Preferences = Type.Object({
  id: described(Type.Integer(), 'Number of the preferences; that of the user.'),
  user_id: described(Type.Integer(), 'Number of the user.'),
  view_diffs_file_by_file: FileByFile,
  show_whitespace_in_diffs: Whitespace,
  pass_user_identities_to_ci_jwt: Identities,
})

export const SetPreferences = Type.Object({
  view_diffs_file_by_file: Type.Optional(FileByFile),
  show_whitespace_in_diffs: Type.Optional(Whitespace),
  pass_user_identities_to_ci_jwt: Type.Optional(Identities),
})

export async function readPreferences(
  database: Database,
  userId: number,
): Promise<Static<typeof Preferences>> {
  const row = await database
    .selectFrom('user_profile')
    .select(['view_diffs_file_by_file', 'show_whitespace_in_diffs', 'pass_user_identities_to_ci_jwt'])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { id: userId, user_id: userId, ...row }
}

export async function setPreferences(
  database: Database,
  userId: number,
  changes: Static<typeof SetPreferences>,
): Promise<Static<typeof Preferences>> {
  await updateProfile(database, userId, changes)
  return readPreferences(database, userId)
}
