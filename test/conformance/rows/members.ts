import { AccessLevel } from '@gitbeaker/rest'

import type { Gitbeaker } from '../support/service.js'
import { absent, type Calls, type Fields, HIDDEN, type Place, type ResourceRow } from './row.js'

/** Members and invitations (API, C3). */
export function memberRows({ project, group, people }: Place): ResourceRow[] {
  const members = membersOf(people)
  return [
    {
      resource: 'members of a project',
      of: 'project',
      ...members,
      hidden: HIDDEN.project,
      gitbeaker: ({ ProjectMembers }) => memberCalls(ProjectMembers, project),
    },
    {
      resource: 'members of a group',
      of: 'group',
      ...members,
      hidden: HIDDEN.group,
      gitbeaker: ({ GroupMembers }) => memberCalls(GroupMembers, group),
    },
    {
      resource: 'invitations to a project',
      of: 'project',
      ...INVITATIONS,
      hidden: HIDDEN.project,
      gitbeaker: ({ ProjectInvitations }) => invitationCalls(ProjectInvitations, project),
    },
    {
      resource: 'invitations to a group',
      of: 'group',
      ...INVITATIONS,
      hidden: HIDDEN.group,
      gitbeaker: ({ GroupInvitations }) => invitationCalls(GroupInvitations, group),
    },
  ]
}

function membersOf(people: number[]) {
  const bodies: Fields[] = people.map((user_id) => ({ user_id, access_level: 30 }))
  return {
    manager: 'members',
    key: 'id',
    bodies,
    change: { access_level: 40 },
    absent: absent(),
    wrong: { body: bodies[0] ?? {}, status: 409, message: 'Member already exists' },
  }
}

const INVITATIONS = {
  readable: false,
  manager: 'invitations',
  key: 'email',
  change: { access_level: 30 },
  absent: absent(),
  bodies: ['a', 'b', 'c'].map((name) => ({ email: `${name}@example.org`, access_level: 20 })),
  wrong: {
    body: { email: 'd@example.org', access_level: 0 },
    status: 400,
    message: { access_level: ['is not included in the list'] },
  },
}

function memberCalls(members: Gitbeaker['ProjectMembers'] | Gitbeaker['GroupMembers'], id: number): Calls {
  return {
    create: ({ user_id }) => members.add(id, AccessLevel.DEVELOPER, { userId: Number(user_id) }),
    all: (options) => members.all(id, options),
    show: (user) => members.show(id, Number(user)),
    edit: (user) => members.edit(id, Number(user), AccessLevel.MAINTAINER),
    remove: (user) => members.remove(id, Number(user)),
  }
}

function invitationCalls(
  invitations: Gitbeaker['ProjectInvitations'] | Gitbeaker['GroupInvitations'],
  id: number,
): Calls {
  return {
    create: ({ email, access_level }) => {
      const level = access_level === 0 ? AccessLevel.NO_ACCESS : AccessLevel.REPORTER
      return invitations.add(id, level, { email: String(email) })
    },
    all: (options) => invitations.all(id, options),
    edit: (email) => invitations.edit(id, String(email), { accessLevel: AccessLevel.DEVELOPER }),
    remove: (email) => invitations.remove(id, String(email)),
  }
}
