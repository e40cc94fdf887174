import type { Database } from '../../../database/connect.js'
import { deleteDeliveriesBefore, deleteOldEvents } from './store.js'

const DAY = 24 * 3600 * 1000
/** The log is kept for so long (API, K2). Milliseconds. */
const KEPT_FOR = 7 * DAY
/** What could not be delivered within this time is not delivered any more. Milliseconds. */
const DELIVERED_WITHIN = 2 * DAY

/** Deletes deliveries that are too old to be sent, and old entries of the delivery log. */
export async function deleteOldDeliveries(database: Database, now = Date.now()): Promise<void> {
  await deleteDeliveriesBefore(database, now - DELIVERED_WITHIN)
  await deleteOldEvents(database, now - KEPT_FOR)
}
