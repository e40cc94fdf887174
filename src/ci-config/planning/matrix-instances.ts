import type { MatrixAxis, ParallelMatrix } from '../entries/parallel.js'

/** Names and values of the variables of one instance, in written order. */
export type MatrixInstance = readonly (readonly [name: string, value: string])[]

/** Rows in their order; inside a row the last variable changes fastest (CI language, 3.12). */
export function* matrixInstances({ rows }: ParallelMatrix): Generator<MatrixInstance> {
  for (const axes of rows) {
    const count = axes.reduce((product, { values }) => product * values.length, 1)
    for (let index = 0; index < count; index++) yield instanceAt(axes, index)
  }
}

/** Interprets `index` as a number with mixed bases; the last variable is the lowest digit. */
function instanceAt(axes: readonly MatrixAxis[], index: number): MatrixInstance {
  let rest = index
  return axes
    .toReversed()
    .map(({ name, values }) => {
      const value = values[rest % values.length] ?? ''
      rest = Math.floor(rest / values.length)
      return [name, value] as const
    })
    .reverse()
}

/** `build: [linux, arm64]` (CI language, 3.12). */
export function matrixName(job: string, instance: MatrixInstance): string {
  return `${job}: [${instance.map(([, value]) => value).join(', ')}]`
}
