import type { Compilable, CompiledQuery, RawBuilder } from 'kysely'
import { sql } from 'kysely'

import type { Database, DialectName } from './connect.js'
import { ConstantsInText } from './constants-in-text.js'
import { dialectOf } from './dialect.js'
import { markPrepared } from './prepared-texts.js'

/** Placeholder of a value in a prepared statement; an array of them stands for a list. */
export type Placeholder<Value> = RawBuilder<Value>

export type Placeholders = Record<string, Placeholder<unknown> | Placeholder<unknown>[]>

export type Values<Of extends Placeholders> = {
  [Name in keyof Of]: Of[Name] extends Placeholder<infer Element>[]
    ? readonly Element[]
    : Of[Name] extends Placeholder<infer Value>
      ? Value
      : never
}

/** Builds the statement with placeholders for its values. Its text may depend on nothing else but the dialect. */
export type BuildStatement<Of extends Placeholders, Row> = (
  database: Database,
  holes: Of,
  dialect: DialectName,
) => Compilable<Row> | RawBuilder<Row>

/** A statement that is built and compiled once for each dialect and each length of its lists. */
export class PreparedStatement<Of extends Placeholders, Row> {
  // Keyed by the adapter of the dialect, which a database shares with its transactions.
  private readonly compiled = new WeakMap<object, Map<string, CompiledQuery<Row>>>()

  constructor(private readonly build: BuildStatement<Of, Row>) {}

  /** The compiled statement with these values. */
  with(database: Database, values: Values<Of>): CompiledQuery<Row> {
    const query = this.queryFor(database, values)
    const parameters = query.parameters.map((slot) => (slot instanceof Slot ? slot.of(values) : slot))
    return { ...query, parameters }
  }

  private queryFor(database: Database, values: Values<Of>): CompiledQuery<Row> {
    const { adapter } = database.getExecutor()
    const queries = this.compiled.get(adapter) ?? new Map<string, CompiledQuery<Row>>()
    this.compiled.set(adapter, queries)
    const shape = shapeOf(values)
    const known = queries.get(shape)
    if (known) return known
    const dialect = dialectOf(database)
    const building = database.withPlugin(new ConstantsInText())
    const made = this.build(building, holesFor<Of>(values), dialect).compile(building)
    queries.set(shape, made)
    markPrepared(made.sql)
    return made
  }
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
