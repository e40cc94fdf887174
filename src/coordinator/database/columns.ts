import type { ColumnType, Generated } from 'kysely'

/** Chosen by the database. */
export type Id = Generated<number>
/** Milliseconds since 1970, UTC. */
export type Timestamp = number
/** Selected as the value, written as `JSON.stringify` of it. */
export type Json<T> = ColumnType<T, string, string>
/** The same, with a default in the schema. */
export type DefaultJson<T> = ColumnType<T, string | undefined, string>
/** The same, null when there is none. */
export type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>
/** Has a default in the schema. */
export type Default<T> = Generated<T>
