import type { Updateable } from 'kysely'

import type { ProfileChanges } from '../../../database/stores/user-profile-store.js'
import type { UserTable } from '../../../database/tables/users.js'
import { invalidRecord } from '../../../http/errors.js'
import type { CreateUser } from '../record/schema.js'

type Settings = Partial<Omit<CreateUser, 'password'>>

const TEXTS = [
  ...(['bio', 'location', 'skype', 'linkedin', 'twitter', 'discord', 'website_url'] as const),
  ...(['organization', 'job_title', 'pronouns', 'note'] as const),
] as const

const AS_THEY_ARE = [
  ...(['private_profile', 'theme_id', 'color_scheme_id'] as const),
  ...(['shared_runners_minutes_limit', 'extra_shared_runners_minutes_limit'] as const),
] as const

/**
 * Profile columns of the parameters; `ownEmails` are the addresses that the user may show or use in commits.
 */
export function profileColumns(params: Settings, ownEmails: string[]): ProfileChanges {
  const changes: ProfileChanges = { ...emailsOf(params, ownEmails) }
  for (const name of TEXTS) {
    if (params[name] !== undefined) changes[name] = params[name] || null
  }
  for (const name of AS_THEY_ARE) {
    if (params[name] !== undefined) Object.assign(changes, { [name]: params[name] })
  }
  return changes
}

function emailsOf(params: Settings, ownEmails: string[]): ProfileChanges {
  const changes: ProfileChanges = {}
  for (const name of ['public_email', 'commit_email'] as const) {
    const email = params[name]
    if (email === undefined) continue
    const isOwn = !email || ownEmails.some((own) => own.toLowerCase() === email.toLowerCase())
    if (!isOwn) throw invalidRecord({ [name]: ['is not an email you own'] })
    changes[name] = email || null
  }
  return changes
}

/** Columns of the user row, besides names and e-mail address. */
export function accountColumns({
  external,
  can_create_group,
  projects_limit,
}: Settings): Pick<Updateable<UserTable>, 'external' | 'can_create_group' | 'projects_limit'> {
  return {
    ...(external !== undefined && { external }),
    ...(can_create_group !== undefined && { can_create_group }),
    ...(projects_limit !== undefined && { projects_limit }),
  }
}
