/** Who may deploy or approve: a role, a user or a group. Exactly one of the three is set; none if it was deleted. */
export interface Entry {
  /** Undefined until it is saved. */
  id?: number | undefined
  access_level: number | null
  user_id: number | null
  group_id: number | null
  /** 1 includes the members that a group inherits. */
  group_inheritance_type: number
  /** The role, or the name of the user or group. */
  access_level_description: string
  /** Of rules of approval. */
  required_approvals?: number | undefined
}

export const NOBODY = { access_level: null, user_id: null, group_id: null, group_inheritance_type: 0 }

/** Names the role, user or group. */
export function entryKey({ id, access_level: level, user_id: user, group_id: group }: Entry): string {
  if (level !== null) return `role ${level}`
  if (user !== null) return `user ${user}`
  return group === null ? `deleted ${id ?? ''}` : `group ${group}`
}

/** An entry as a parameter of the API. */
export function newEntry(entry: Entry): Record<string, number> {
  const { access_level, user_id, group_id, group_inheritance_type, required_approvals } = entry
  return {
    ...(access_level !== null && { access_level }),
    ...(user_id !== null && { user_id }),
    ...(group_id !== null && { group_id, group_inheritance_type }),
    ...(required_approvals !== undefined && { required_approvals }),
  }
}

type EntryChange = Record<string, number | boolean>

/** The parameters that turn the saved entries of a rule into others. */
export function entryChanges(saved: readonly Entry[], wanted: readonly Entry[]): EntryChange[] {
  const kept = new Map(wanted.map((entry) => [entryKey(entry), entry]))
  const known = new Set(saved.map(entryKey))
  return [
    ...saved.flatMap((before): EntryChange[] => {
      const { id } = before
      if (id === undefined) return []
      const after = kept.get(entryKey(before))
      if (!after) return [{ id, _destroy: true }]
      const changes = {
        ...(after.group_inheritance_type !== before.group_inheritance_type && {
          group_inheritance_type: after.group_inheritance_type,
        }),
        ...(after.required_approvals !== undefined &&
          after.required_approvals !== before.required_approvals && {
            required_approvals: after.required_approvals,
          }),
      }
      return Object.keys(changes).length === 0 ? [] : [{ id, ...changes }]
    }),
    ...wanted.filter((entry) => !known.has(entryKey(entry))).map(newEntry),
  ]
}

/** The approvals that a deployment needs, as words. */
export function approvalWords(
  rules: readonly Pick<Entry, 'required_approvals' | 'access_level_description'>[],
  count: number,
): string {
  if (rules.length > 0) {
    return rules
      .map(({ required_approvals: needed = 1, access_level_description: who }) => `${needed} by ${who}`)
      .join(', ')
  }
  return count === 0 ? 'none' : `${count} by those who may deploy`
}
