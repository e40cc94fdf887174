import type { SecretBox } from '../../crypto/secret-box.js'
import type { InstanceVariable, Variable, VariableSummary } from './schema.js'
import type { VariableRow } from './store.js'

/** A variable of a group or a project (API, I1). */
export function presentVariable(row: VariableRow, secrets: SecretBox): Variable {
  return { ...presentInstanceVariable(row, secrets), environment_scope: row.environment_scope }
}

/** A hidden value is never shown to anyone. */
export function presentInstanceVariable(row: VariableRow, secrets: SecretBox): InstanceVariable {
  const { key, ...attributes } = presentAttributes(row)
  return { key, value: row.hidden ? null : secrets.decrypt(row.value_encrypted), ...attributes }
}

/** A variable without its value, which is not decrypted. */
export function presentWithoutValue(row: VariableRow): VariableSummary {
  return { ...presentAttributes(row), environment_scope: row.environment_scope }
}

function presentAttributes(row: VariableRow): Omit<InstanceVariable, 'value'> {
  return {
    key: row.key,
    variable_type: row.variable_type,
    protected: row.protected,
    masked: row.masked,
    hidden: row.hidden,
    raw: row.raw,
    description: row.description,
  }
}
