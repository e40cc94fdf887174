import type { GroupGrant } from './provider-settings.js'

/** The highest level for each full path of a group that the values of the claim give. */
export function grantsOf(
  mapping: ReadonlyMap<string, readonly GroupGrant[]>,
  values: readonly string[],
): Map<string, number> {
  const grants = new Map<string, number>()
  for (const { path, accessLevel } of values.flatMap((value) => mapping.get(value) ?? [])) {
    grants.set(path, Math.max(accessLevel, grants.get(path) ?? 0))
  }
  return grants
}

export interface HeldMembership {
  groupId: number
  accessLevel: number
  /** Whether this provider has given it. */
  isMapped: boolean
}

export interface MembershipChanges {
  add: { groupId: number; accessLevel: number }[]
  change: { groupId: number; accessLevel: number }[]
  remove: number[]
}

/** The changes that give a user what is wanted, by ID of the group. Memberships that somebody else has given stay. */
export function planMemberships(
  wanted: ReadonlyMap<number, number>,
  held: readonly HeldMembership[],
): MembershipChanges {
  const levels = new Map(held.map((membership) => [membership.groupId, membership]))
  const mapped = held.filter(({ isMapped }) => isMapped)
  const entries = [...wanted].map(([groupId, accessLevel]) => ({ groupId, accessLevel }))
  return {
    add: entries.filter(({ groupId }) => !levels.has(groupId)),
    change: entries.filter(({ groupId, accessLevel }) => {
      const membership = levels.get(groupId)
      return membership?.isMapped === true && membership.accessLevel !== accessLevel
    }),
    remove: mapped.map(({ groupId }) => groupId).filter((groupId) => !wanted.has(groupId)),
  }
}
