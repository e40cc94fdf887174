import { DAY } from '../../../../lib/time-units.js'
import type { Database } from '../../../database/connect.js'
import { deleteDeliveriesBefore, deleteOldEvents } from '../delivery-store.js'

/** Retention period of the delivery log, in milliseconds (API, K2). */
const KEPT_FOR = 7 * DAY
/** Time after which an undelivered event is given up, in milliseconds. */
const DELIVERED_WITHIN = 2 * DAY

/** Deletes deliveries that are too old to be sent, and old entries of the delivery log. */
export async function deleteOldDeliveries(database: Database, now = Date.now()): Promise<void> {
  await deleteDeliveriesBefore(database, now - DELIVERED_WITHIN)
  await deleteOldEvents(database, now - KEPT_FOR)
}
