import { Counter, Histogram, type Registry } from 'prom-client'

import { isSuccess, type Outcome } from './send-delivery.js'

/** Counts delivery attempts by outcome. */
export function countDeliveries(registry: Registry): (outcome: Outcome) => void {
  const made = new Counter({
    name: 'switchyard_hook_deliveries_total',
    help: 'Webhook delivery attempts by result: success, refused by the receiver, no response, or not sent',
    labelNames: ['result'],
    registers: [registry],
  })
  const duration = new Histogram({
    name: 'switchyard_hook_delivery_duration_seconds',
    help: 'Time from the start of a webhook delivery to the end of its response',
    buckets: [0.05, 0.2, 1, 3, 10],
    registers: [registry],
  })
  return (outcome) => {
    made.inc({ result: resultOf(outcome) })
    duration.observe(outcome.duration)
  }
}

function resultOf(outcome: Outcome): string {
  if (isSuccess(outcome)) return 'success'
  return outcome.kind === 'responded' ? 'refused' : outcome.kind
}
