import type { ProtectedRef } from '../protected-ref-store.js'
import type { AccessRow } from './access-store.js'
import type { AccessEntry, ProtectedBranch, ProtectedTag } from './schema.js'

const DESCRIPTIONS: Record<number, string> = {
  0: 'No one',
  30: 'Developers + Maintainers',
  40: 'Maintainers',
}

/** `named` are the users and groups of this rule. */
export function presentProtectedBranch(rule: ProtectedRef, named: AccessRow[]): ProtectedBranch {
  return {
    id: rule.id,
    name: rule.name,
    push_access_levels: entries(rule.id, rule.push_access_level, named, 'push'),
    merge_access_levels: entries(rule.id, rule.merge_access_level, named, 'merge'),
    unprotect_access_levels: [],
    allow_force_push: rule.allow_force_push,
    code_owner_approval_required: rule.code_owner_approval_required,
    inherited: false,
  }
}

export function presentTag(rule: ProtectedRef, named: AccessRow[]): ProtectedTag {
  return { name: rule.name, create_access_levels: entries(rule.id, rule.push_access_level, named, 'push') }
}

/** Lists the role first; "No one" is left out if users or groups are named. */
function entries(
  ruleId: number,
  level: number,
  named: AccessRow[],
  action: AccessRow['action'],
): AccessEntry[] {
  const people = named.filter((row) => row.action === action).map(presentNamed)
  return level === 0 && people.length > 0 ? people : [presentRole(ruleId, level), ...people]
}

/** A rule has one role per action, so the ID of the rule also serves as the ID of the entry. */
function presentRole(id: number, level: number): AccessEntry {
  const description = DESCRIPTIONS[level] ?? String(level)
  return { id, access_level: level, access_level_description: description, user_id: null, group_id: null }
}

function presentNamed({ id, name, user_id, group_id }: AccessRow): AccessEntry {
  return { id, access_level: null, access_level_description: name, user_id, group_id }
}
