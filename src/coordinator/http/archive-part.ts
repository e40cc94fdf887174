import type { Static, TObject } from 'typebox'

import { isRecord } from '../../lib/is-record.js'
import type { Project, User } from '../access/caller.js'
import type { Transaction } from '../database/transaction.js'
import { readerFor } from './parameters/compile-parameters.js'

/** The project that an import creates, and the user who imports. */
export interface TransferTarget {
  project: Project
  importer: User
  /** The users whom records may name, by the names in the records. By default those that `peopleNamed` finds. */
  people?: ReadonlyMap<string, number>
  /** Called in the transaction that has created an issue, a merge request or a note, with its ID. */
  onWritten?: (tx: Transaction, id: number) => Promise<void>
}

/**
 * One kind of object in project archives: the file `<name>.ndjson` with one JSON object per line. Records
 * refer to nothing by id and contain no secrets.
 */
export interface TransferPart {
  name: string
  /** Reads the records of the project, oldest first. */
  read: (project: Project) => AsyncIterable<object>
  /** Returns the key that identifies a record within its project. Throws `ApiError` for an invalid record. */
  identityOf: (record: unknown) => string
  /**
   * Creates the object from its record. Throws `ApiError` for an invalid record, or one the project cannot
   * hold.
   */
  write: (target: TransferTarget, record: unknown) => Promise<void>
  /** Called after the last record. It may be called again. */
  finish?: ((target: TransferTarget) => Promise<void>) | undefined
}

interface PartDeclaration<Schema extends TObject> {
  name: string
  /** Schema of the fields that are read; other fields are ignored. */
  schema: Schema
  read: (project: Project) => AsyncIterable<Static<Schema>>
  identityOf: (record: Static<Schema>) => unknown
  write: (target: TransferTarget, record: Static<Schema>) => Promise<unknown>
  finish?: (target: TransferTarget) => Promise<void>
}

/** Declares a part; records are read as the parameters of operations are. */
export function transferPart<Schema extends TObject>({
  name,
  schema,
  read: readAll,
  identityOf,
  write,
  finish,
}: PartDeclaration<Schema>): TransferPart {
  const read = readerFor(schema)
  const parse = (record: unknown) => read(asRecord(record))
  return {
    name,
    read: readAll,
    identityOf: (record) => JSON.stringify(identityOf(parse(record))),
    write: async (target, record) => {
      await write(target, parse(record))
    },
    finish,
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}
