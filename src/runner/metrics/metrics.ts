import { Registry } from 'prom-client'

import type { Recorder } from '../registrations/recorder.js'
import { countLogLines } from './errors-counter.js'
import { PrometheusRecorder } from './prometheus-recorder.js'
import { type GaugedRunner, registerGauges } from './runner-gauges.js'

/** Everything that is counted and measured, for those who serve it. */
export interface Metrics {
  readonly recorder: Recorder
  /** To be called for each line of the log, with its level. */
  readonly countLine: (level: string) => void
  /** Begins to show what this runner does. */
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
