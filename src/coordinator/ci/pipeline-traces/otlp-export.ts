// Loaded only when traces are exported: the SDK makes the start slower.
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api'
import { ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  type IdGenerator,
  type ReadableSpan,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base'

import { VERSION } from '../../../lib/version.js'
import type { SpanExport } from './span-export.js'
import type { PipelineSpan } from './spans.js'

export interface OtlpSettings {
  /** Address of the collector for traces, such as `http://127.0.0.1:4318/v1/traces`. */
  url: string
  /** Maximum time to send, attempts after errors included. Absent = as the environment says. */
  timeoutMilliseconds?: number
}

/** Exports over OTLP/HTTP. Headers, certificates, timeouts and compression are those of the variables `OTEL_…`. */
export function otlpExport({ url, timeoutMilliseconds }: OtlpSettings): SpanExport {
  const exporter = new OTLPTraceExporter({
    url,
    ...(timeoutMilliseconds !== undefined && { timeoutMillis: timeoutMilliseconds }),
  })
  const ids = new GivenIds()
  const ended = new EndedSpans()
  const provider = new BasicTracerProvider({
    idGenerator: ids,
    spanProcessors: [ended],
    // The environment may name the service.
    resource: resourceFromAttributes({ 'service.name': 'switchyard', 'service.version': VERSION }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
  })
  const tracer = provider.getTracer('switchyard', VERSION)

  function add(span: PipelineSpan): void {
    ids.next = span
    const { traceId, parentId, link } = span
    const made = tracer.startSpan(
      span.name,
      {
        kind: parentId === null ? SpanKind.SERVER : SpanKind.INTERNAL,
        startTime: span.start,
        attributes: span.attributes,
        links: link ? [{ context: contextOf(link.traceId, link.spanId) }] : [],
      },
      parentId === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, contextOf(traceId, parentId)),
    )
    for (const { name, at } of span.events) made.addEvent(name, at)
    if (span.failure !== null) made.setStatus({ code: SpanStatusCode.ERROR, message: span.failure })
    made.end(span.end)
  }

  return {
    send: async (spans) => {
      for (const span of spans) add(span)
      const made = ended.take()
      if (made.length === 0) return
      await new Promise<void>((resolve, reject) => {
        exporter.export(made, ({ code, error }) => {
          if (code === ExportResultCode.SUCCESS) resolve()
          else reject(error ?? new Error('the collector refused the spans'))
        })
      })
    },
    close: () => exporter.shutdown(),
  }
}

function contextOf(traceId: string, spanId: string) {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED }
}

/** Gives each span the IDs that it was made with. */
class GivenIds implements IdGenerator {
  next: Pick<PipelineSpan, 'traceId' | 'spanId'> = { traceId: '', spanId: '' }

  generateTraceId(): string {
    return this.next.traceId
  }

  generateSpanId(): string {
    return this.next.spanId
  }
}

/** Collects the spans that the sampler keeps. The batches of the SDK would drop those of large pipelines. */
class EndedSpans implements SpanProcessor {
  private spans: ReadableSpan[] = []

  take(): ReadableSpan[] {
    const { spans } = this
    this.spans = []
    return spans
  }

  onStart(): void {
    // Spans are collected when they end.
  }

  onEnd(span: ReadableSpan): void {
    this.spans.push(span)
  }

  async forceFlush(): Promise<void> {
    // `take` returns all of them.
  }

  async shutdown(): Promise<void> {
    this.spans = []
  }
}
