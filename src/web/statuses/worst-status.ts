/** Statuses from the one that says most about a group to the one that says least. */
export const STATUS_RANKS = [
  'failed',
  'running',
  'canceling',
  'pending',
  'waiting_for_resource',
  'waiting_for_callback',
  'preparing',
  'scheduled',
  'manual',
  'created',
  'warning',
  'success',
  'canceled',
  'skipped',
]

/** The status that says most about several. */
export function worstStatus(statuses: readonly string[]): string {
  return STATUS_RANKS.find((status) => statuses.includes(status)) ?? 'created'
}
