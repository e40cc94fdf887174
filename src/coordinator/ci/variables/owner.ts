/** The owner of settings variables; each level has its own (CI language, 8.1). */
export type VariableOwner = { kind: 'instance' } | { kind: 'group' | 'project'; id: number }

export type OwnerKind = VariableOwner['kind']

export const INSTANCE: VariableOwner = { kind: 'instance' }

/** The columns that name the owner. */
export function ownerColumns(owner: VariableOwner): {
  project_id: number | null
  namespace_id: number | null
} {
  return {
    project_id: owner.kind === 'project' ? owner.id : null,
    namespace_id: owner.kind === 'group' ? owner.id : null,
  }
}
