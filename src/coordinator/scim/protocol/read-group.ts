import { isRecord } from '../../../lib/is-record.js'
import { idOf } from './condition.js'
import type { Shape } from './patch.js'
import { invalidValue, readText, requireText, valueOf } from './read-attributes.js'

/** What a provider says about a group. */
export interface GroupStatement {
  displayName: string
  externalId: string | null
  /** IDs of users; undefined if they are not said. */
  members: ReadonlySet<number> | undefined
}

/** Attributes that a PATCH changes. */
export const GROUP_SHAPE: Shape = new Map([
  ['displayname', { name: 'displayName', kind: 'value' }],
  ['externalid', { name: 'externalId', kind: 'value' }],
  ['members', { name: 'members', kind: 'list', parts: new Map([['value', 'value']]) }],
])

type Body = Readonly<Record<string, unknown>>

/** Throws 400 for attributes that are missing or not valid. */
export function readGroup(body: Body): GroupStatement {
  return {
    displayName: requireText(body, 'displayName'),
    externalId: readText(body, 'externalId') ?? null,
    members: readMembers(valueOf(body, 'members')),
  }
}

function readMembers(value: unknown): ReadonlySet<number> | undefined {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value) || !value.every(isRecord))
    throw invalidValue('members', 'must be a list of objects')
  return new Set(value.map(readMember))
}

function readMember(member: Body): number {
  const value = readText(member, 'value', 'members.value')
  const id = idOf(value ?? null)
  if (id < 0) throw invalidValue('members.value', `must be the ID of a user, not ${value ?? 'nothing'}`)
  return id
}
