import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

import { apiError } from './errors.js'
import { addressFilter, LOOPBACK } from './metrics-addresses.js'
import type { ServedRequest } from './served-request.js'

const MILLISECONDS_PER_SECOND = 1000

/** Metrics that are made of samples which wake an idle process a hundred times a second. `measureEventLoop` replaces them. */
const SAMPLED = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (value) => `nodejs_eventloop_lag_${value}_seconds`,
)
/** Milliseconds; the longest interval that timers have. */
const NEVER = 2 ** 31 - 1

/** Creates a registry with the process metrics; services add their own metrics. */
export function createMetrics(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER })
  for (const name of SAMPLED) registry.removeSingleMetric(name)
  return registry
}

/** Returns a function that measures the durations of requests by method, route and status. */
export function requestDurations(registry: Registry): (served: ServedRequest) => void {
  const duration = new Histogram({
    name: 'switchyard_http_request_duration_seconds',
    help: 'Time from a request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  })
  return ({ method, route, status, milliseconds }) =>
    duration.observe({ method, route, status }, milliseconds / MILLISECONDS_PER_SECOND)
}

/** Serves `/metrics` to the allowed addresses and networks, and counts the requests that are not served yet. */
export function metricsRoutes(
  app: FastifyInstance,
  registry: Registry,
  allowed: readonly string[] = LOOPBACK,
): void {
  let underWay = 0
  const gauge: Gauge = new Gauge({
    name: 'switchyard_http_requests_under_way',
    help: 'Requests that are not served yet, held job requests included',
    registers: [registry],
    collect: () => {
      gauge.set(underWay)
    },
  })
  const onClose = (): void => {
    underWay--
  }
  app.addHook('onRequest', (_request, reply, done) => {
    underWay++
    // Emitted once; `once` would keep four more objects while a request is held.
    reply.raw.on('close', onClose)
    done()
  })
  const isAllowed = addressFilter(allowed)
  app.get('/metrics', async (request, reply) => {
    if (!isAllowed(request)) throw apiError('metrics_address_not_allowed')
    const text = await registry.metrics()
    return reply.header('content-type', registry.contentType).send(text)
  })
}
