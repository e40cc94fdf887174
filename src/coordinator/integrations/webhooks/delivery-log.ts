import { type Page, page, type Paging } from '../../http/page.js'
import { CallLimit } from '../../http/rate-limits/call-limit.js'
import { listLog, type StatusRange } from './delivery-store.js'
import type { HookRow } from './hook-store.js'
import type { HookDeps } from './hooks.js'
import { presentDelivery } from './present.js'

/** Limits operations that send a request to another server (API, K1). */
const CALLS_PER_MINUTE = 3

/** Limit of one operation, for each hook. */
export function hookCallLimit(): CallLimit {
  return new CallLimit(CALLS_PER_MINUTE, 60_000)
}

/** Recent deliveries of a hook, newest first. `status`: statuses and names of ranges; none = all. */
export async function deliveriesPage(
  { database, secrets }: Pick<HookDeps, 'database' | 'secrets'>,
  { id }: HookRow,
  status: string[] | undefined,
  paging: Paging,
): Promise<Page> {
  const { rows, total } = await listLog(database, id, statusRanges(status), paging)
  return page(
    rows.map((row) => presentDelivery(secrets, row)),
    total,
  )
}

const RANGES: Record<string, StatusRange> = {
  successful: [200, 399],
  client_failure: [400, 499],
  server_failure: [500, 599],
}

function statusRanges(status: string[] = []): StatusRange[] {
  return status.map((word) => RANGES[word] ?? [Number(word), Number(word)])
}
