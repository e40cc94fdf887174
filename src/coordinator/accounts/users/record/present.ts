import { mergeRecords } from '../../../../lib/merge-records.js'
import type { User } from '../../../access/caller.js'
import { isoDateOrNull, isoTime, isoTimeOrNull } from '../../../http/presenters/present-time.js'
import { presentUser as presentPublicUser, type PublicUser } from '../../../http/presenters/present-user.js'
import type { Following, UserFacts } from './facts.js'
import type { FullUser, UserProfile } from './schema.js'

/** The viewer and the viewed user. */
export interface View {
  viewer: User | undefined
  externalUrl: string
}

/**
 * Presents one user. Users see all of their own fields, administrators all fields of every user, others only
 * public fields.
 */
export function presentUser(
  user: User,
  facts: UserFacts & { following: Following },
  view: View,
): FullUser | UserProfile | PublicUser {
  if (maySeeAllFields(user, view)) return mergeRecords(presentFullUser(user, facts, view), facts.following)
  if (facts.profile.private_profile) return presentPublicUser(user, view.externalUrl)
  return mergeRecords(presentPublicUser(user, view.externalUrl), profileOf(user, facts), facts.following)
}

function maySeeAllFields(user: User, { viewer }: View): boolean {
  return viewer !== undefined && (viewer.is_admin || viewer.id === user.id)
}

export function presentFullUser(user: User, facts: UserFacts, { viewer, externalUrl }: View): FullUser {
  return mergeRecords(
    presentPublicUser(user, externalUrl),
    profileOf(user, facts),
    { email: user.email },
    viewer?.is_admin ? forAdministrators(user, facts, externalUrl) : {},
    accountOf(user, facts),
  )
}

function accountOf(user: User, { profile, namespaceId, identities, isLocked, hasSecondFactor }: UserFacts) {
  return {
    namespace_id: namespaceId,
    last_sign_in_at: isoTimeOrNull(profile.last_sign_in_at),
    current_sign_in_at: isoTimeOrNull(profile.current_sign_in_at),
    sign_in_count: profile.sign_in_count,
    confirmed_at: isoTimeOrNull(profile.confirmed_at),
    theme_id: profile.theme_id,
    last_activity_on: isoDateOrNull(profile.last_activity_at),
    color_scheme_id: profile.color_scheme_id,
    projects_limit: user.projects_limit,
    identities: identities.map(({ provider, extern_uid, saml_provider_id }) => ({
      provider,
      extern_uid,
      saml_provider_id,
    })),
    can_create_group: user.can_create_group,
    can_create_project: user.projects_limit > 0,
    two_factor_enabled: hasSecondFactor,
    external: user.external,
    private_profile: profile.private_profile,
    commit_email: profile.commit_email ?? user.email,
    locked: isLocked,
    shared_runners_minutes_limit: profile.shared_runners_minutes_limit,
    extra_shared_runners_minutes_limit: profile.extra_shared_runners_minutes_limit,
  }
}

function forAdministrators(user: User, { profile, createdBy }: UserFacts, externalUrl: string) {
  return {
    is_admin: user.is_admin,
    note: profile.note,
    last_sign_in_ip: profile.last_sign_in_ip,
    current_sign_in_ip: profile.current_sign_in_ip,
    created_by: createdBy && presentPublicUser(createdBy, externalUrl),
  }
}

function profileOf(user: User, { profile }: UserFacts) {
  const { job_title, organization } = profile
  return {
    created_at: isoTime(user.created_at),
    bio: profile.bio,
    location: profile.location,
    public_email: profile.public_email,
    skype: profile.skype,
    linkedin: profile.linkedin,
    twitter: profile.twitter,
    discord: profile.discord,
    website_url: profile.website_url,
    organization,
    job_title,
    pronouns: profile.pronouns,
    work_information:
      job_title && organization ? `${job_title} at ${organization}` : (job_title ?? organization),
    bot: user.kind === 'bot',
  }
}

export function presentCustomAttributes({ customAttributes }: UserFacts) {
  return { custom_attributes: customAttributes.map(({ key, value }) => ({ key, value })) }
}
