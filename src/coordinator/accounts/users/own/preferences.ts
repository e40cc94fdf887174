import { type Static, Type } from 'typebox'

import type { Database } from '../../../database/connect.js'
import { updateProfile } from '../../../database/stores/user-profile-store.js'
import { described } from '../../../http/parameters/described.js'

const FileByFile = described(Type.Boolean(), 'Whether diffs show one file at a time.')
const Whitespace = described(Type.Boolean(), 'Whether diffs show whitespace changes.')
const Identities = described(
  Type.Boolean(),
  'Whether ID tokens of jobs contain the identities of the user at other services.',
)

export const Preferences = Type.Object({
  id: described(Type.Integer(), 'ID of the preferences; that of the user.'),
  user_id: described(Type.Integer(), 'ID of the user.'),
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
