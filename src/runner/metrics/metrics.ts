import { Registry } from 'prom-client'

import type { Recorder } from '../registrations/recorder.js'
import { countLogLines } from './errors-counter.js'
import { PrometheusRecorder } from './prometheus-recorder.js'
import { type GaugedRunner, registerGauges } from './runner-gauges.js'

/** All metrics, for the server that exposes them. */
export interface Metrics {
  readonly recorder: Recorder
  /** Must be called for each line of the log, with its level. */
  readonly countLine: (level: string) => void
  /** Starts to expose the metrics of this runner. */
  show(runner: GaugedRunner, systemId: string): void
  readonly contentType: string
  text(): Promise<string>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  return {
    recorder: new PrometheusRecorder(registry),
    countLine: countLogLines(registry),
    show: (runner, systemId) => registerGauges(registry, runner, systemId),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}
