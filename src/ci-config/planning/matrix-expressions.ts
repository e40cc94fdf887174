import type { NeedEntry } from '../entries/needs.js'
import type { MatrixAxis } from '../entries/parallel.js'
import type { ExpansionBudget } from '../variables/expansion-budget.js'
import type { MatrixInstance } from './matrix-instances.js'

const EXPRESSION = /\$\[\[\s*matrix\.(?<name>[^\s\][|]+)\s*\]\]/g

/**
 * Whether a need references `$[[ matrix.NAME ]]`, so that every instance of the job has different needs (CI
 * language, 3.8).
 */
export function hasMatrixExpression({ name, matrix }: NeedEntry): boolean {
  const texts = [name, ...(matrix?.rows.flat().flatMap(({ values }) => values) ?? [])]
  return texts.some((text) => text.includes('$[[') && text.search(EXPRESSION) >= 0)
}

/** Inserts the matrix values of the instance; calls `unknown` for names that its matrix does not have. */
export function replaceMatrixExpressions(
  need: NeedEntry,
  instance: MatrixInstance,
  budget: ExpansionBudget,
  unknown: (name: string) => void,
): NeedEntry {
  const values = new Map(instance)
  const replace = (text: string): string =>
    text.replace(EXPRESSION, (written, name: string) => {
      const value = values.get(name)
      if (value === undefined) unknown(name)
      else budget.spend(value.length)
      return value ?? written
    })
  const replaceAxis = (axis: MatrixAxis): MatrixAxis => ({ ...axis, values: axis.values.map(replace) })
  const { matrix } = need
  return {
    ...need,
    name: replace(need.name),
    ...(matrix && { matrix: { ...matrix, rows: matrix.rows.map((axes) => axes.map(replaceAxis)) } }),
  }
}
