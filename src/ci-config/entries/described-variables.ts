import {
  type ConfigMap,
  type ConfigValue,
  isList,
  isMap,
  isScalar,
  scalarText,
} from '../yaml/config-value.js'

/** A variable at the top level that forms offer to users (CI language, 2.3). */
export interface DescribedVariable {
  key: string
  value: string
  description: string
  options: string[]
}

/** The variables with a description or options in a valid configuration; others are not shown in forms. */
export function describedVariables(merged: ConfigMap): DescribedVariable[] {
  const variables = merged.get('variables')
  if (!isMap(variables)) return []
  return [...variables].flatMap(([key, written]) => {
    if (!isMap(written) || !(written.has('description') || written.has('options'))) return []
    const text = (name: string): string => {
      const value = written.get(name) ?? ''
      return isScalar(value) ? scalarText(value) : ''
    }
    const options = readOptions(written.get('options'))
    return [{ key, value: text('value'), description: text('description'), options }]
  })
}

function readOptions(value: ConfigValue | undefined): string[] {
  return isList(value) ? value.filter((option) => typeof option === 'string') : []
}
