import { type Static, Type } from 'typebox'

import { AvatarParameter } from '../../../hosting/avatars/avatar-parameter.js'
import { described } from '../../../http/parameters/described.js'
import {
  DateOnly,
  DateTime,
  Nullable,
  NullableText,
  OneOf,
  SortDirection,
} from '../../../http/parameters/types.js'
import { PublicUser } from '../../../http/presenters/present-user.js'

const profileFields = {
  created_at: described(DateTime(), 'Creation time of the account.'),
  bio: described(NullableText, 'Biography; null if there is none.'),
  location: described(NullableText, 'Location; null if not given.'),
  public_email: described(NullableText, 'Public e-mail address; null if there is none.'),
  skype: described(NullableText, 'Skype name; null if not given.'),
  linkedin: described(NullableText, 'LinkedIn name; null if not given.'),
  twitter: described(NullableText, 'Twitter name; null if not given.'),
  discord: described(NullableText, 'Discord ID; null if not given.'),
  website_url: described(NullableText, 'Website URL; null if there is none.'),
  organization: described(NullableText, 'Organization; null if not given.'),
  job_title: described(NullableText, 'Job title; null if not given.'),
  pronouns: described(NullableText, 'Pronouns; null if not given.'),
  work_information: described(
    NullableText,
    'Job title and organization in one line; null if neither is given.',
  ),
  bot: described(Type.Boolean(), 'Whether the user is the bot of an access token.'),
}

const followFields = {
  followers: described(Type.Integer(), 'Number of followers.'),
  following: described(Type.Integer(), 'Number of followed users.'),
  is_followed: described(Type.Optional(Type.Boolean()), 'Whether the caller follows the user.'),
}

const CustomAttributes = described(
  Type.Optional(
    Type.Array(
      Type.Object({
        key: described(Type.String(), 'Name of the attribute.'),
        value: described(Type.String(), 'Value of the attribute.'),
      }),
    ),
  ),
  'Custom attributes; only on request of an administrator.',
)

/** One user as shown to others. A private profile shows only `PublicUser`. */
export const UserProfile = Type.Object({ ...PublicUser.properties, ...profileFields, ...followFields })
export type UserProfile = Static<typeof UserProfile>

const Identity = Type.Object({
  provider: described(Type.String(), 'Name of the identity provider.'),
  extern_uid: described(Type.String(), 'ID of the user at the provider.'),
  saml_provider_id: described(
    Type.Optional(Nullable(Type.Integer())),
    'ID of the SAML provider of a group; null if there is none.',
  ),
})

const Creator = Type.Object(PublicUser.properties)

/** Record for administrators, and for users about themselves. */
export const FullUser = Type.Object({
  ...PublicUser.properties,
  ...profileFields,
  email: described(Type.String(), 'Primary e-mail address.'),
  is_admin: described(
    Type.Optional(Type.Boolean()),
    'Whether the user is an administrator; only for administrators.',
  ),
  note: described(Type.Optional(NullableText), 'Administrator note; null if there is none.'),
  created_by: described(
    Type.Optional(Nullable(Creator)),
    'Administrator who created the account; null if there is none. Only for administrators.',
  ),
  highest_role: described(
    Type.Optional(Type.Integer()),
    'Highest access level in any project or group; only for administrators, for a single user.',
  ),
  namespace_id: described(Nullable(Type.Integer()), 'ID of the personal namespace; null if there is none.'),
  last_sign_in_at: described(
    Nullable(DateTime()),
    'Time of the previous sign-in, including uses of the account password by git; null if there is none.',
  ),
  last_sign_in_ip: described(
    Type.Optional(NullableText),
    'IP address of the previous sign-in; null if there is none. Only for administrators.',
  ),
  confirmed_at: described(
    Nullable(DateTime()),
    'Confirmation time of the primary e-mail address; null if it is not confirmed.',
  ),
  current_sign_in_at: described(Nullable(DateTime()), 'Time of the latest sign-in; null if there is none.'),
  current_sign_in_ip: described(
    Type.Optional(NullableText),
    'IP address of the latest sign-in; null if there is none. Only for administrators.',
  ),
  sign_in_count: described(
    Type.Integer(),
    'Number of sign-ins; those from one address within ten minutes count once.',
  ),
  theme_id: described(Type.Integer(), 'ID of the page theme.'),
  last_activity_on: described(Nullable(DateOnly()), 'Day of the last activity; null if there is none.'),
  color_scheme_id: described(Type.Integer(), 'ID of the syntax highlighting theme.'),
  projects_limit: described(Type.Integer(), 'Maximum number of personal projects.'),
  identities: described(Type.Array(Identity), 'Identities of the user at other services.'),
  can_create_group: described(Type.Boolean(), 'Whether the user can create groups.'),
  can_create_project: described(Type.Boolean(), 'Whether the user can create personal projects.'),
  two_factor_enabled: described(Type.Boolean(), 'Whether the user has a second factor.'),
  external: described(Type.Boolean(), 'Whether the user is external and cannot see internal projects.'),
  private_profile: described(Type.Boolean(), 'Whether the profile is private.'),
  commit_email: described(Type.String(), 'E-mail address of commits in the name of the user.'),
  locked: described(Type.Boolean(), 'Whether the account is locked after too many wrong passwords.'),
  shared_runners_minutes_limit: described(
    Nullable(Type.Integer()),
    'Monthly limit on instance runners, in minutes; null for the limit of the instance. Stored only.',
  ),
  extra_shared_runners_minutes_limit: described(
    Nullable(Type.Integer()),
    'Additional minutes beyond the monthly limit; null if there are none. Stored only.',
  ),
  followers: Type.Optional(followFields.followers),
  following: Type.Optional(followFields.following),
  is_followed: followFields.is_followed,
  custom_attributes: CustomAttributes,
})
export type FullUser = Static<typeof FullUser>

export const AnyUser = Type.Union([FullUser, UserProfile, PublicUser])

const WithCustomAttributes = described(
  Type.Optional(Type.Boolean()),
  'Whether to include custom attributes, for administrators; default false.',
)

export const ListUsers = Type.Object({
  search: described(
    Type.Optional(Type.String()),
    'Part of the name or username, or the whole primary e-mail address.',
  ),
  username: described(Type.Optional(Type.String()), 'Username, case-insensitive.'),
  active: described(Type.Optional(Type.Boolean()), 'Whether to return only active users.'),
  blocked: described(Type.Optional(Type.Boolean()), 'Whether to return only blocked users.'),
  state: described(
    Type.Optional(
      OneOf('active', 'blocked', 'ldap_blocked', 'banned', 'deactivated', 'blocked_pending_approval'),
    ),
    'State to filter by; administrators only.',
  ),
  external: described(Type.Optional(Type.Boolean()), 'Whether to return only external users.'),
  exclude_external: described(Type.Optional(Type.Boolean()), 'Whether to exclude external users.'),
  exclude_internal: described(
    Type.Optional(Type.Boolean()),
    'Whether to exclude internal users of the instance, such as the ghost user.',
  ),
  without_projects: described(
    Type.Optional(Type.Boolean()),
    'Whether to return only users without projects.',
  ),
  without_project_bots: described(Type.Optional(Type.Boolean()), 'Whether to exclude bots of access tokens.'),
  humans: described(Type.Optional(Type.Boolean()), 'Whether to return only human users.'),
  admins: described(Type.Optional(Type.Boolean()), 'Whether to return only administrators.'),
  extern_uid: described(Type.Optional(Type.String()), 'ID of the user at `provider`.'),
  provider: described(Type.Optional(Type.String()), 'Name of the identity provider, with `extern_uid`.'),
  two_factor: described(
    Type.Optional(OneOf('enabled', 'disabled')),
    'Two-factor authentication to filter by; administrators only.',
  ),
  created_after: described(Type.Optional(DateTime()), 'Earliest creation time.'),
  created_before: described(Type.Optional(DateTime()), 'Latest creation time.'),
  custom_attributes: described(
    Type.Optional(Type.Record(Type.String(), Type.String())),
    'Custom attribute to filter by, as `custom_attributes[key]=value`; administrators only.',
  ),
  with_custom_attributes: WithCustomAttributes,
  order_by: described(
    Type.Optional(OneOf('id', 'name', 'username', 'created_at', 'updated_at')),
    'Field to order by, for administrators; default `id`.',
  ),
  sort: described(Type.Optional(SortDirection), 'Sort order, for administrators; default `desc`.'),
})
export type ListUsers = Static<typeof ListUsers>

const EmailAddress = Type.String({ minLength: 1, maxLength: 254 })
const Username = Type.String({ minLength: 1, maxLength: 255 })
const FullName = Type.String({ minLength: 1, maxLength: 255 })
const ShortText = Type.Optional(Nullable(Type.String({ maxLength: 255 })))

/** Parameters shared by creating and editing a user. */
const settings = {
  avatar: Type.Optional(AvatarParameter),
  password: described(Type.Optional(Type.String()), 'Password of 8 to 128 characters.'),
  skype: described(ShortText, 'Skype name.'),
  linkedin: described(ShortText, 'LinkedIn name.'),
  twitter: described(ShortText, 'Twitter name.'),
  discord: described(ShortText, 'Discord ID.'),
  website_url: described(ShortText, 'Website URL, http or https.'),
  organization: described(ShortText, 'Organization.'),
  job_title: described(ShortText, 'Job title.'),
  pronouns: described(ShortText, 'Pronouns.'),
  projects_limit: described(
    Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
    'Maximum number of personal projects; default 100000.',
  ),
  extern_uid: described(ShortText, 'ID of the user at `provider`.'),
  provider: described(ShortText, 'Name of the identity provider, with `extern_uid`.'),
  bio: described(ShortText, 'Biography.'),
  location: described(ShortText, 'Location.'),
  public_email: described(ShortText, 'Public e-mail address, one of those of the user; empty for none.'),
  commit_email: described(
    ShortText,
    'E-mail address of commits in the name of the user, one of those of the user; empty for the primary one.',
  ),
  admin: described(Type.Optional(Type.Boolean()), 'Whether the user is an administrator; default false.'),
  can_create_group: described(
    Type.Optional(Type.Boolean()),
    'Whether the user can create groups; default true.',
  ),
  external: described(
    Type.Optional(Type.Boolean()),
    'Whether the user is external and cannot see internal projects; default false.',
  ),
  private_profile: described(Type.Optional(Type.Boolean()), 'Whether the profile is private; default false.'),
  theme_id: described(
    Type.Optional(Type.Integer({ minimum: 1, maximum: 32_767 })),
    'ID of the page theme; default 1.',
  ),
  color_scheme_id: described(
    Type.Optional(Type.Integer({ minimum: 1, maximum: 32_767 })),
    'ID of the syntax highlighting theme; default 1.',
  ),
  note: described(Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))), 'Administrator note.'),
  shared_runners_minutes_limit: described(
    Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }))),
    'Monthly limit on instance runners, in minutes; stored only.',
  ),
  extra_shared_runners_minutes_limit: described(
    Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }))),
    'Additional minutes beyond the monthly limit; stored only.',
  ),
}

export const CreateUser = Type.Object({
  email: described(EmailAddress, 'Primary e-mail address; unique among all users.'),
  username: described(Username, 'Username for URLs and mentions; unique among users and groups.'),
  name: described(FullName, 'Full name.'),
  reset_password: described(
    Type.Optional(Type.Boolean()),
    'Whether the user chooses the password, by a link in a mail. Without mails, an administrator must set one. Default false.',
  ),
  force_random_password: described(
    Type.Optional(Type.Boolean()),
    'Whether to create a random password, which is shown to no one; default false.',
  ),
  skip_confirmation: described(
    Type.Optional(Type.Boolean()),
    'Whether the address counts as confirmed. Has an effect only if `send_user_confirmation_email` is set and mails are sent; otherwise every address counts as confirmed. Default false.',
  ),
  ...settings,
})
export type CreateUser = Static<typeof CreateUser>

export const EditUser = Type.Object({
  id: described(Type.Integer(), 'ID of the user.'),
  email: described(Type.Optional(EmailAddress), 'Primary e-mail address; unique among all users.'),
  username: described(
    Type.Optional(Username),
    'Username for URLs; the path of the personal namespace changes with it.',
  ),
  name: described(Type.Optional(FullName), 'Full name.'),
  skip_reconfirmation: described(
    Type.Optional(Type.Boolean()),
    'Whether a new address takes effect without confirmation. Has an effect only if `send_user_confirmation_email` is set and mails are sent; otherwise it takes effect at once. Default false.',
  ),
  group_id_for_saml: described(
    Type.Optional(Nullable(Type.Integer())),
    'ID of the group whose SAML provider `extern_uid` belongs to.',
  ),
  ...settings,
})
export type EditUser = Static<typeof EditUser>

/** What users change themselves. */
export const EditOwnProfile = Type.Object({
  name: described(Type.Optional(FullName), 'Full name.'),
  bio: settings.bio,
  location: settings.location,
  pronouns: settings.pronouns,
  job_title: settings.job_title,
  organization: settings.organization,
  website_url: settings.website_url,
  linkedin: settings.linkedin,
  twitter: settings.twitter,
  discord: settings.discord,
  public_email: settings.public_email,
  commit_email: settings.commit_email,
  private_profile: settings.private_profile,
})

export const UserId = Type.Object({ id: described(Type.Integer(), 'ID of the user.') })

export const GetUser = Type.Object({ ...UserId.properties, with_custom_attributes: WithCustomAttributes })

export const DeleteUser = Type.Object({
  ...UserId.properties,
  hard_delete: described(
    Type.Optional(Type.Boolean()),
    'Whether to delete also the contributions of the user, and groups without other owners; default false.',
  ),
})
