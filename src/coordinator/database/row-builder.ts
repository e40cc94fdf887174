/** A column of a result; `read` converts its values, but not null. */
export interface ResultColumn {
  name: string
  read?: ((value: unknown) => unknown) | undefined
}

export type BuildRow = (values: readonly unknown[]) => Record<string, unknown>

type Build = (values: readonly unknown[], reads: ResultColumn['read'][]) => Record<string, unknown>

/**
 * Compiles a function that makes a row of the values of these columns. The rows of a statement then share one layout; adding
 * the columns to an empty object one after the other takes ten times as long. Names are those of our own statements.
 */
export function rowBuilder(columns: readonly ResultColumn[]): BuildRow {
  const reads = columns.map(({ read }) => read)
  const properties = columns.map(({ name, read }, index) => {
    const value = `values[${index}]`
    return `${JSON.stringify(name)}: ${read ? `${value} === null ? null : reads[${index}](${value})` : value}`
  })
  // oxlint-disable-next-line typescript/no-implied-eval
  const build = new Function('values', 'reads', `return { ${properties.join(', ')} }`) as Build
  return (values) => build(values, reads)
}
