import type { User } from '../access/caller.js'
import type { Database } from '../database/connect.js'
import { inTransaction, type Transaction } from '../database/transaction.js'
import type { CallerInProject } from './access/issue-access.js'

/** How the subscriptions to issues, or to merge requests, are read and written. */
interface Subscribable<Row> {
  /** Throws 404 for an unknown record, and for one that is hidden from the caller. */
  lock: (tx: Transaction, caller: CallerInProject, iid: number) => Promise<Row>
  /** Undefined if the user has not chosen. */
  findChoice: (database: Database, row: Row, userId: number) => Promise<boolean | undefined>
  setChoice: (tx: Transaction, row: Row, userId: number, subscribed: boolean) => Promise<unknown>
  participantIds: (database: Database, row: Row) => Promise<number[]>
}

export interface Subscriptions<Row> {
  /** Participants are subscribed unless they have chosen otherwise. */
  isSubscribed: (database: Database, row: Row, user: User) => Promise<boolean>
  /** Subscribes the caller or ends the subscription. Undefined if nothing changed. Throws 404 for an unknown record. */
  changeSubscription: (
    database: Database,
    caller: CallerInProject & { user: User },
    iid: number,
    subscribed: boolean,
  ) => Promise<Row | undefined>
}

export function subscriptionsTo<Row>(subscribable: Subscribable<Row>): Subscriptions<Row> {
  const { lock, findChoice, setChoice, participantIds } = subscribable
  const isSubscribed = async (database: Database, row: Row, { id }: User): Promise<boolean> =>
    (await findChoice(database, row, id)) ?? (await participantIds(database, row)).includes(id)
  return {
    isSubscribed,
    changeSubscription: (database, caller, iid, subscribed) =>
      inTransaction(database, async (tx) => {
        const row = await lock(tx, caller, iid)
        if ((await isSubscribed(tx, row, caller.user)) === subscribed) return undefined
        await setChoice(tx, row, caller.user.id, subscribed)
        return row
      }),
  }
}
