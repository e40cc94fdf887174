import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateOnly, DateTime, Nullable, OneOf } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'

const LEVEL = 'Access level: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner.'
const EXPIRY = 'First day without access, `YYYY-MM-DD`; null if access does not expire.'

export const Member = Type.Object({
  ...PublicUser.properties,
  access_level: described(Type.Integer(), LEVEL),
  expires_at: described(Nullable(DateOnly()), EXPIRY),
  created_at: described(DateTime(), 'Time at which the user became a member.'),
  created_by: described(Type.Optional(PublicUser), 'User who added the member; absent if there is none.'),
  membership_state: described(Type.String(), 'Always `active`.'),
  locked: described(Type.Boolean(), 'Whether the account is locked.'),
  email: described(Type.Optional(Type.String()), 'E-mail address; only for administrators.'),
})
export type Member = Static<typeof Member>

export const ListMembers = Type.Object({
  query: described(
    Type.Optional(Type.String()),
    'Part of the name or username to search for, case-insensitive.',
  ),
  user_ids: described(Type.Optional(Type.Array(Type.Integer())), 'IDs of users to include.'),
  skip_users: described(Type.Optional(Type.Array(Type.Integer())), 'IDs of users to exclude.'),
  state: described(
    Type.Optional(OneOf('awaiting', 'active')),
    'Membership state: `active`, or awaiting a seat, which no member is.',
  ),
})
export type ListMembers = Static<typeof ListMembers>

export const ListMemberSources = Type.Object({
  user_ids: described(Type.Array(Type.Integer(), { minItems: 1, maxItems: 100 }), 'IDs of users.'),
})

export const MemberSource = Type.Object({
  user_id: described(Type.Integer(), 'ID of the user.'),
  kind: described(
    OneOf('direct', 'group', 'invited_group', 'namespace'),
    'How the user is a member: directly, by a group above, by an invited group, or as owner of the personal namespace.',
  ),
  access_level: described(Type.Integer(), `${LEVEL} Here.`),
  member_level: described(
    Type.Integer(),
    'Access level in the group, which is higher where the invitation of the group gives less.',
  ),
  group_name: described(Nullable(Type.String()), 'Name of the group; null if there is none.'),
  group_full_path: described(Nullable(Type.String()), 'Full path of the group; null if there is none.'),
})
export type MemberSource = Static<typeof MemberSource>

export const ListUsersOfProject = Type.Object({
  search: described(
    Type.Optional(Type.String()),
    'Part of the name or username to search for, case-insensitive.',
  ),
  skip_users: described(Type.Optional(Type.Array(Type.Integer())), 'IDs of users to exclude.'),
})

const userId = described(Type.Integer(), 'ID of the user.')

export const MemberId = Type.Object({ user_id: userId })

export const RemoveMember = Type.Object({
  user_id: userId,
  skip_subresources: described(
    Type.Optional(Type.Boolean()),
    'For a group: whether to keep memberships in its projects and subgroups; default false.',
  ),
  unassign_issuables: described(
    Type.Optional(Type.Boolean()),
    'Whether to unassign the user from issues and merge requests; there are none yet.',
  ),
})

export const AddMember = Type.Object({
  user_id: described(Type.Optional(Type.String()), 'ID of the user, or several IDs with commas.'),
  username: described(Type.Optional(Type.String()), 'Username instead of the ID, or several with commas.'),
  access_level: described(Type.Integer(), LEVEL),
  expires_at: described(Type.Optional(Nullable(DateOnly())), EXPIRY),
})
export type AddMember = Static<typeof AddMember>

export const EditMember = Type.Object({
  user_id: userId,
  access_level: described(Type.Integer(), LEVEL),
  expires_at: described(Type.Optional(Nullable(DateOnly())), `${EXPIRY} Unchanged if absent.`),
})

/** Response to a request with several IDs. */
export const MembersAdded = Type.Object({
  status: described(OneOf('success', 'error'), '`success`, or `error` if at least one user was not added.'),
  message: described(
    Type.Optional(Type.Record(Type.String(), Type.String())),
    'Errors, by the given ID, username or e-mail address.',
  ),
})
export type MembersAdded = Static<typeof MembersAdded>

export const ImportMembers = Type.Object({
  project_id: described(Type.Integer(), 'ID of the project whose members are added.'),
})

export const ImportedMembers = Type.Object({
  ...MembersAdded.properties,
  message: described(Type.Optional(Type.Record(Type.String(), Type.String())), 'Errors, by username.'),
  total_members_count: described(Type.Integer(), 'Number of members of the other project.'),
})
export type ImportedMembers = Static<typeof ImportedMembers>

export const AccessRequest = Type.Object({
  ...PublicUser.properties,
  requested_at: described(DateTime(), 'Time of the request.'),
})
export type AccessRequest = Static<typeof AccessRequest>

export const ApproveRequest = Type.Object({
  user_id: userId,
  access_level: described(Type.Optional(Type.Integer()), `${LEVEL} Default 30.`),
})

export const Invitation = Type.Object({
  id: described(Type.Integer(), 'ID of the invitation.'),
  invite_email: described(Type.String(), 'E-mail address of the invitation.'),
  email: described(Type.String(), 'The same e-mail address.'),
  access_level: described(Type.Integer(), LEVEL),
  created_at: described(DateTime(), 'Time of creation.'),
  expires_at: described(Nullable(DateOnly()), EXPIRY),
  user_name: described(Nullable(Type.String()), 'Always null: no user has the e-mail address yet.'),
  created_by_name: described(
    Nullable(Type.String()),
    'Name of the user who sent the invitation; null for a deleted user.',
  ),
})
export type Invitation = Static<typeof Invitation>

export const ListInvitations = Type.Object({
  query: described(
    Type.Optional(Type.String()),
    'Part of the e-mail address to search for, case-insensitive.',
  ),
})

export const Invite = Type.Object({
  email: described(Type.Optional(Type.String()), 'E-mail address, or several with commas.'),
  user_id: described(Type.Optional(Type.String()), 'ID of a user instead, or several IDs with commas.'),
  access_level: described(Type.Integer(), LEVEL),
  expires_at: described(Type.Optional(Nullable(DateOnly())), EXPIRY),
})
export type Invite = Static<typeof Invite>

export const InvitationEmail = Type.Object({
  email: described(Type.String(), 'E-mail address of the invitation.'),
})

export const EditInvitation = Type.Object({
  email: described(Type.String(), 'E-mail address of the invitation.'),
  access_level: described(Type.Optional(Type.Integer()), LEVEL),
  expires_at: described(Type.Optional(Nullable(DateOnly())), EXPIRY),
})
