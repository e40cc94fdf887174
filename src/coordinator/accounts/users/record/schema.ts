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
  created_at: described(DateTime(), 'When the account was made.'),
  bio: described(NullableText, 'What they say about themselves; null = nothing.'),
  location: described(NullableText, 'Where they are; null = not told.'),
  public_email: described(NullableText, 'An address that everybody may know; null = none.'),
  skype: described(NullableText, 'Name at Skype; null = not told.'),
  linkedin: described(NullableText, 'Name at LinkedIn; null = not told.'),
  twitter: described(NullableText, 'Name at Twitter; null = not told.'),
  discord: described(NullableText, 'Number at Discord; null = not told.'),
  website_url: described(NullableText, 'Address of their website; null = none.'),
  organization: described(NullableText, 'Whom they work for; null = not told.'),
  job_title: described(NullableText, 'What they work as; null = not told.'),
  pronouns: described(NullableText, 'How they are spoken of; null = not told.'),
  work_information: described(NullableText, 'Job and organization in one line; null = neither is told.'),
  bot: described(Type.Boolean(), 'It is the user of an access token, not a person.'),
}

const followFields = {
  followers: described(Type.Integer(), 'How many users follow this one.'),
  following: described(Type.Integer(), 'How many users this one follows.'),
  is_followed: described(Type.Optional(Type.Boolean()), 'The caller follows this user.'),
}

const CustomAttributes = described(
  Type.Optional(
    Type.Array(
      Type.Object({
        key: described(Type.String(), 'Name of the attribute.'),
        value: described(Type.String(), 'Its value.'),
      }),
    ),
  ),
  'Attributes that administrators have given, if they asked for them.',
)

/** Of one user, for others. Who keeps the profile private shows no more than `PublicUser`. */
export const UserProfile = Type.Object({ ...PublicUser.properties, ...profileFields, ...followFields })
export type UserProfile = Static<typeof UserProfile>

const Identity = Type.Object({
  provider: described(Type.String(), 'Name of the other service.'),
  extern_uid: described(Type.String(), 'Who the user is there.'),
  saml_provider_id: described(
    Type.Optional(Nullable(Type.Integer())),
    'Number of the SAML provider of a group; null = none.',
  ),
})

const Creator = Type.Object(PublicUser.properties)

/** What administrators see of everyone, and everyone of themselves. */
export const FullUser = Type.Object({
  ...PublicUser.properties,
  ...profileFields,
  email: described(Type.String(), 'The primary address.'),
  is_admin: described(Type.Optional(Type.Boolean()), 'An administrator; shown to administrators only.'),
  note: described(Type.Optional(NullableText), 'Of administrators for administrators; null = none.'),
  created_by: described(
    Type.Optional(Nullable(Creator)),
    'The administrator who made the account; null = nobody did. Shown to administrators only.',
  ),
  highest_role: described(
    Type.Optional(Type.Integer()),
    'The highest level in any project or group; shown to administrators who look at one user.',
  ),
  namespace_id: described(
    Nullable(Type.Integer()),
    'Number of the personal namespace; null = there is none.',
  ),
  last_sign_in_at: described(
    Nullable(DateTime()),
    'The sign-in before the current one, which is the use of the password of the account by git; null = never.',
  ),
  last_sign_in_ip: described(
    Type.Optional(NullableText),
    'IP address of the sign-in before the current one; null = none. Shown to administrators only.',
  ),
  confirmed_at: described(
    Nullable(DateTime()),
    'When the primary address was confirmed; null = it has not been.',
  ),
  current_sign_in_at: described(Nullable(DateTime()), 'The latest sign-in; null = never.'),
  current_sign_in_ip: described(
    Type.Optional(NullableText),
    'IP address of the latest sign-in; null = none. Shown to administrators only.',
  ),
  sign_in_count: described(
    Type.Integer(),
    'How often they signed in; what comes from one address within ten minutes counts once.',
  ),
  theme_id: described(Type.Integer(), 'Number of the colours of the pages.'),
  last_activity_on: described(Nullable(DateOnly()), 'Day on which they last did something; null = never.'),
  color_scheme_id: described(Type.Integer(), 'Number of the colours of code.'),
  projects_limit: described(Type.Integer(), 'How many projects the personal namespace may have.'),
  identities: described(Type.Array(Identity), 'Who they are to other services.'),
  can_create_group: described(Type.Boolean(), 'They may make groups.'),
  can_create_project: described(Type.Boolean(), 'They may make projects of their own.'),
  two_factor_enabled: described(Type.Boolean(), 'They need a second factor; there is none here.'),
  external: described(Type.Boolean(), 'They see no internal projects.'),
  private_profile: described(Type.Boolean(), 'Others see no more than name and state.'),
  commit_email: described(Type.String(), 'Address of the commits that are made in their name.'),
  locked: described(Type.Boolean(), 'Too many wrong passwords keep the account closed.'),
  shared_runners_minutes_limit: described(
    Nullable(Type.Integer()),
    'Minutes a month on runners of the instance; null = as the instance has it. Kept, not enforced.',
  ),
  extra_shared_runners_minutes_limit: described(
    Nullable(Type.Integer()),
    'Minutes beyond those of the month; null = none. Kept, not enforced.',
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
  'Administrators get custom attributes too; default false.',
)

export const ListUsers = Type.Object({
  search: described(Type.Optional(Type.String()), 'Part of name or username, or the whole primary address.'),
  username: described(Type.Optional(Type.String()), 'The username, in either case.'),
  active: described(Type.Optional(Type.Boolean()), '`true`: only those who are active.'),
  blocked: described(Type.Optional(Type.Boolean()), '`true`: only those who are blocked.'),
  external: described(Type.Optional(Type.Boolean()), '`true`: only external users.'),
  exclude_external: described(Type.Optional(Type.Boolean()), '`true`: no external users.'),
  exclude_internal: described(
    Type.Optional(Type.Boolean()),
    "`true`: not the instance's own users, as the ghost.",
  ),
  without_projects: described(Type.Optional(Type.Boolean()), '`true`: only members of no project.'),
  without_project_bots: described(Type.Optional(Type.Boolean()), '`true`: no users of access tokens.'),
  humans: described(Type.Optional(Type.Boolean()), '`true`: only people.'),
  admins: described(Type.Optional(Type.Boolean()), '`true`: only administrators.'),
  extern_uid: described(Type.Optional(Type.String()), 'Who the user is to `provider`.'),
  provider: described(Type.Optional(Type.String()), 'Name of another service, with `extern_uid`.'),
  two_factor: described(
    Type.Optional(OneOf('enabled', 'disabled')),
    'Only with, or without, a second factor; for administrators.',
  ),
  created_after: described(Type.Optional(DateTime()), 'Only accounts made later.'),
  created_before: described(Type.Optional(DateTime()), 'Only accounts made earlier.'),
  custom_attributes: described(
    Type.Optional(Type.Record(Type.String(), Type.String())),
    '`custom_attributes[key]=value`: only those with this attribute; for administrators.',
  ),
  with_custom_attributes: WithCustomAttributes,
  order_by: described(
    Type.Optional(OneOf('id', 'name', 'username', 'created_at', 'updated_at')),
    'For administrators; default `id`.',
  ),
  sort: described(Type.Optional(SortDirection), 'For administrators; default `desc`.'),
})
export type ListUsers = Static<typeof ListUsers>

const EmailAddress = Type.String({ minLength: 1, maxLength: 254 })
const Username = Type.String({ minLength: 1, maxLength: 255 })
const FullName = Type.String({ minLength: 1, maxLength: 255 })
const ShortText = Type.Optional(Nullable(Type.String({ maxLength: 255 })))

/** What creating and changing a user have in common. */
const settings = {
  avatar: Type.Optional(AvatarParameter),
  password: described(Type.Optional(Type.String()), 'At least 8 characters, at most 128.'),
  skype: described(ShortText, 'Name at Skype.'),
  linkedin: described(ShortText, 'Name at LinkedIn.'),
  twitter: described(ShortText, 'Name at Twitter.'),
  discord: described(ShortText, 'Number at Discord.'),
  website_url: described(ShortText, 'Address of their website, http or https.'),
  organization: described(ShortText, 'Whom they work for.'),
  job_title: described(ShortText, 'What they work as.'),
  pronouns: described(ShortText, 'How they are spoken of.'),
  projects_limit: described(
    Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
    'How many projects the personal namespace may have; default 100000.',
  ),
  extern_uid: described(ShortText, 'Who the user is to `provider`.'),
  provider: described(ShortText, 'Name of another service, with `extern_uid`.'),
  bio: described(ShortText, 'What they say about themselves.'),
  location: described(ShortText, 'Where they are.'),
  public_email: described(ShortText, 'One of their addresses that everybody may know; empty = none.'),
  commit_email: described(
    ShortText,
    'One of their addresses, for commits in their name; empty = the primary one.',
  ),
  admin: described(Type.Optional(Type.Boolean()), 'An administrator; default false.'),
  can_create_group: described(Type.Optional(Type.Boolean()), 'They may make groups; default true.'),
  external: described(Type.Optional(Type.Boolean()), 'They see no internal projects; default false.'),
  private_profile: described(
    Type.Optional(Type.Boolean()),
    'Others see no more than name and state; default false.',
  ),
  theme_id: described(
    Type.Optional(Type.Integer({ minimum: 1, maximum: 32_767 })),
    'Number of the colours of the pages; default 1.',
  ),
  color_scheme_id: described(
    Type.Optional(Type.Integer({ minimum: 1, maximum: 32_767 })),
    'Number of the colours of code; default 1.',
  ),
  note: described(
    Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))),
    'Of administrators for administrators.',
  ),
  shared_runners_minutes_limit: described(
    Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }))),
    'Minutes a month on runners of the instance; kept, not enforced.',
  ),
  extra_shared_runners_minutes_limit: described(
    Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }))),
    'Minutes beyond those of the month; kept, not enforced.',
  ),
}

export const CreateUser = Type.Object({
  email: described(EmailAddress, 'The primary address; nobody else may have it.'),
  username: described(Username, 'Name in addresses and mentions; unique among users and groups.'),
  name: described(FullName, 'Full name.'),
  reset_password: described(
    Type.Optional(Type.Boolean()),
    'The password is random, and an administrator sets another one; default false.',
  ),
  force_random_password: described(
    Type.Optional(Type.Boolean()),
    'The password is random, and told to nobody; default false.',
  ),
  skip_confirmation: described(
    Type.Optional(Type.Boolean()),
    'Addresses count as confirmed in any case: no mail is sent. Default false.',
  ),
  ...settings,
})
export type CreateUser = Static<typeof CreateUser>

export const EditUser = Type.Object({
  id: described(Type.Integer(), 'Number of the user.'),
  email: described(Type.Optional(EmailAddress), 'The primary address; nobody else may have it.'),
  username: described(Type.Optional(Username), 'Name in addresses; the personal namespace moves with it.'),
  name: described(Type.Optional(FullName), 'Full name.'),
  skip_reconfirmation: described(
    Type.Optional(Type.Boolean()),
    'Addresses count as confirmed in any case: no mail is sent. Default false.',
  ),
  group_id_for_saml: described(
    Type.Optional(Nullable(Type.Integer())),
    'Number of the group whose SAML provider `extern_uid` is about.',
  ),
  ...settings,
})
export type EditUser = Static<typeof EditUser>

export const UserId = Type.Object({ id: described(Type.Integer(), 'Number of the user.') })

export const GetUser = Type.Object({ ...UserId.properties, with_custom_attributes: WithCustomAttributes })

export const DeleteUser = Type.Object({
  ...UserId.properties,
  hard_delete: described(
    Type.Optional(Type.Boolean()),
    'Deletes too what the user has made, and groups that nobody else owns; default false.',
  ),
})
