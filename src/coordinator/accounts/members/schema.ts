import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateOnly, DateTime, Nullable, OneOf } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'

const LEVEL = '10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner.'
const EXPIRY = 'First day without access, `YYYY-MM-DD`; null = it does not end.'

export const Member = Type.Object({
  ...PublicUser.properties,
  access_level: described(Type.Integer(), LEVEL),
  expires_at: described(Nullable(DateOnly()), EXPIRY),
  created_at: described(DateTime(), 'When the user became a member.'),
  created_by: described(Type.Optional(PublicUser), 'Who added the user; absent when nobody did.'),
  membership_state: described(Type.String(), 'Always `active`.'),
  locked: described(Type.Boolean(), 'Whether the account is locked.'),
  email: described(Type.Optional(Type.String()), 'E-mail address; shown to administrators only.'),
})
export type Member = Static<typeof Member>

export const ListMembers = Type.Object({
  query: described(Type.Optional(Type.String()), 'Part of a name or user name, in either case.'),
  user_ids: described(Type.Optional(Type.Array(Type.Integer())), 'Only these users.'),
  skip_users: described(Type.Optional(Type.Array(Type.Integer())), 'Not these users.'),
  state: described(
    Type.Optional(OneOf('awaiting', 'active')),
    '`active` members, or those that wait for a seat, of whom there are none.',
  ),
})
export type ListMembers = Static<typeof ListMembers>

export const ListUsersOfProject = Type.Object({
  search: described(Type.Optional(Type.String()), 'Part of a name or user name, in either case.'),
  skip_users: described(Type.Optional(Type.Array(Type.Integer())), 'Not these users.'),
})

const userId = described(Type.Integer(), 'Number of the user.')

export const MemberId = Type.Object({ user_id: userId })

export const RemoveMember = Type.Object({
  user_id: userId,
  skip_subresources: described(
    Type.Optional(Type.Boolean()),
    'Of a group: whether memberships in its projects and subgroups are kept; default false.',
  ),
  unassign_issuables: described(
    Type.Optional(Type.Boolean()),
    'Whether issues and merge requests lose the user; there are none yet.',
  ),
})

export const AddMember = Type.Object({
  user_id: described(Type.Optional(Type.String()), 'Number of the user, or several with commas.'),
  username: described(Type.Optional(Type.String()), 'User name instead, or several with commas.'),
  access_level: described(Type.Integer(), LEVEL),
  expires_at: described(Type.Optional(Nullable(DateOnly())), EXPIRY),
})
export type AddMember = Static<typeof AddMember>

export const EditMember = Type.Object({
  user_id: userId,
  access_level: described(Type.Integer(), LEVEL),
  expires_at: described(Type.Optional(Nullable(DateOnly())), `${EXPIRY} Absent = as before.`),
})

/** Answer to several ids at once. */
export const MembersAdded = Type.Object({
  status: described(OneOf('success', 'error'), 'Whether all went well.'),
  message: described(
    Type.Optional(Type.Record(Type.String(), Type.String())),
    'What went wrong, by what was given for the user.',
  ),
})
export type MembersAdded = Static<typeof MembersAdded>

export const AccessRequest = Type.Object({
  ...PublicUser.properties,
  requested_at: described(DateTime(), 'When the user asked.'),
})
export type AccessRequest = Static<typeof AccessRequest>

export const ApproveRequest = Type.Object({
  user_id: userId,
  access_level: described(Type.Optional(Type.Integer()), `${LEVEL} Default 30.`),
})

export const Invitation = Type.Object({
  id: described(Type.Integer(), 'Number of the invitation.'),
  invite_email: described(Type.String(), 'Who is invited.'),
  email: described(Type.String(), 'The same, as clients look for it.'),
  access_level: described(Type.Integer(), LEVEL),
  created_at: described(DateTime(), 'When it was made.'),
  expires_at: described(Nullable(DateOnly()), EXPIRY),
  user_name: described(Nullable(Type.String()), 'Always null: nobody has the address yet.'),
  created_by_name: described(Nullable(Type.String()), 'Who made it; null when that user is gone.'),
})
export type Invitation = Static<typeof Invitation>

export const ListInvitations = Type.Object({
  query: described(Type.Optional(Type.String()), 'Part of the address, in either case.'),
})

export const Invite = Type.Object({
  email: described(Type.Optional(Type.String()), 'E-mail address, or several with commas.'),
  user_id: described(Type.Optional(Type.String()), 'Number of a user instead, or several with commas.'),
  access_level: described(Type.Integer(), LEVEL),
  expires_at: described(Type.Optional(Nullable(DateOnly())), EXPIRY),
})
export type Invite = Static<typeof Invite>

export const InvitationEmail = Type.Object({
  email: described(Type.String(), 'Who was invited.'),
})

export const EditInvitation = Type.Object({
  email: described(Type.String(), 'Who was invited.'),
  access_level: described(Type.Optional(Type.Integer()), LEVEL),
  expires_at: described(Type.Optional(Nullable(DateOnly())), EXPIRY),
})
