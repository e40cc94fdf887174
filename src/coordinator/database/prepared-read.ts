import type { Compilable, CompiledQuery, RawBuilder } from 'kysely'
import { sql } from 'kysely'

import type { Database } from './connect.js'
import { directReadsOf, type Planning } from './direct-reads.js'

/** Placeholder of a value in a prepared query; an array of them stands for a list. */
export type Placeholder<Value> = RawBuilder<Value>

type Placeholders = Record<string, Placeholder<unknown> | Placeholder<unknown>[]>

type Values<Of extends Placeholders> = {
  [Name in keyof Of]: Of[Name] extends Placeholder<infer Element>[]
    ? readonly Element[]
    : Of[Name] extends Placeholder<infer Value>
      ? Value
      : never
}

/** Reads the rows of a query with these values, from the database or within a transaction. */
export type PreparedRead<Of extends Placeholders, Row> = (
  database: Database,
  values: Values<Of>,
) => Promise<Row[]>

/**
 * A query for frequent requests. Building a query with Kysely and planning it takes longer than running it.
 * So it is built once (once per length of its lists), and the database keeps it prepared. It must only read,
 * and its text may depend on nothing but its placeholders:
 *
 *     const findByDigest = preparedRead((database, { digest }: { digest: Placeholder<string> }) =>
 *       database.selectFrom('personal_access_token').selectAll().where('digest', '=', digest))
 *     const [token] = await findByDigest(database, { digest: 'e3b0…' })
 *
 * For a table that grows from empty to very large within seconds, use the planning `each time`.
 */
export function preparedRead<Of extends Placeholders, Row>(
  write: (database: Database, holes: Of) => Compilable<Row> | RawBuilder<Row>,
  { planning = 'once' }: { planning?: Planning } = {},
): PreparedRead<Of, Row> {
  // Keyed by the adapter of the dialect, which a database shares with its transactions.
  const written = new WeakMap<object, Map<string, WrittenQuery<Row>>>()

  return async (database, values) => {
    const { query, slots } = queryFor(database, values)
    const parameters = slots.map((slot) => (slot instanceof Slot ? slot.of(values) : slot))
    const directReads = directReadsOf(database)
    if (directReads) return directReads.read<Row>(query.sql, parameters, planning)
    return (await database.executeQuery<Row>({ ...query, parameters })).rows
  }

  function queryFor(database: Database, values: Values<Of>): WrittenQuery<Row> {
    const { adapter } = database.getExecutor()
    const queries = written.get(adapter) ?? new Map<string, WrittenQuery<Row>>()
    written.set(adapter, queries)
    const shape = shapeOf(values)
    const known = queries.get(shape)
    if (known) return known
    const query = write(database, holesFor<Of>(values)).compile(database)
    const made = { query, slots: query.parameters }
    queries.set(shape, made)
    return made
  }
}

interface WrittenQuery<Row> {
  query: CompiledQuery<Row>
  /** Parameters of the query: constant values, and slots for the values of each call. */
  slots: readonly unknown[]
}

/** Marks the position of a value in the parameters. */
class Slot {
  constructor(
    private readonly name: string,
    /** Position in a list. */
    private readonly index: number | undefined,
  ) {}

  of(values: Record<string, unknown>): unknown {
    const value = values[this.name]
    return this.index !== undefined && Array.isArray(value) ? value[this.index] : value
  }
}

/** Lists of different lengths need different query texts. */
function shapeOf(values: Record<string, unknown>): string {
  let shape = ''
  for (const name in values) {
    const value = values[name]
    if (Array.isArray(value)) shape += `${value.length} `
  }
  return shape
}

function holesFor<Of extends Placeholders>(values: Values<Of>): Of {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((_, index) => hole(name, index)) : hole(name, undefined),
  ])
  return Object.fromEntries(entries) as Of // a placeholder for each value, and a list of them for each list
}

function hole(name: string, index: number | undefined): Placeholder<unknown> {
  return sql`${new Slot(name, index)}`
}
