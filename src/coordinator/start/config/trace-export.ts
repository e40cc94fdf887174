import type { OtlpSettings } from '../../ci/pipeline-traces/otlp-export.js'
import type { SettingSources } from './setting-sources.js'

const BASE = 'OTEL_EXPORTER_OTLP_ENDPOINT'
const OF_TRACES = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'

/**
 * The collector that the variables of OpenTelemetry name, or undefined. These are read here so that the SDK need not be
 * loaded without a collector; the SDK reads the other variables.
 */
export function readTraceExport(
  environment: Record<string, string | undefined>,
  sources: Pick<SettingSources, 'refuse'>,
): OtlpSettings | undefined {
  const {
    [BASE]: base,
    [OF_TRACES]: ofTraces,
    OTEL_EXPORTER_OTLP_PROTOCOL: general,
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol = general,
    OTEL_TRACES_EXPORTER: exporter,
    OTEL_SDK_DISABLED: isDisabled,
  } = environment
  const [name, text] = ofTraces ? [OF_TRACES, ofTraces] : [BASE, base]
  if (!text || exporter === 'none' || isDisabled === 'true') return undefined
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    sources.refuse(`${name}: must be a URL such as http://127.0.0.1:4318`)
    return undefined
  }
  if (protocol === 'grpc') {
    sources.refuse(
      `${name}: traces are sent over HTTP; set OTEL_EXPORTER_OTLP_PROTOCOL to http/protobuf, and the port to that for HTTP`,
    )
    return undefined
  }
  return { url: ofTraces ? text : `${text.replace(/\/+$/, '')}/v1/traces` }
}
