import type { AccessEntry, ProtectedBranch, ProtectedTag } from './schema.js'
import type { ProtectedRef } from './store.js'

const DESCRIPTIONS: Record<number, string> = {
  0: 'No one',
  30: 'Developers + Maintainers',
  40: 'Maintainers',
}

export function presentBranch(rule: ProtectedRef): ProtectedBranch {
  return {
    id: rule.id,
    name: rule.name,
    push_access_levels: [entry(rule.id, rule.push_access_level)],
    merge_access_levels: [entry(rule.id, rule.merge_access_level)],
    allow_force_push: rule.allow_force_push,
    code_owner_approval_required: false,
    inherited: false,
  }
}

export function presentTag(rule: ProtectedRef): ProtectedTag {
  return { name: rule.name, create_access_levels: [entry(rule.id, rule.push_access_level)] }
}

/** A rule has one level per right, so its own id serves for the entry. */
function entry(id: number, level: number): AccessEntry {
  return {
    id,
    access_level: level,
    access_level_description: DESCRIPTIONS[level] ?? String(level),
    user_id: null,
    group_id: null,
  }
}
