import { expect, test } from 'vitest'

import { readTraceExport } from '../../../../src/coordinator/start/config/trace-export.js'

function read(environment: Record<string, string>): unknown {
  const problems: string[] = []
  const settings = readTraceExport(environment, { refuse: (problem) => problems.push(problem) })
  return problems[0] ?? settings?.url
}

test('the address of the collector follows the rules of OpenTelemetry', () => {
  expect(read({})).toBeUndefined()
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toBeUndefined()
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' })).toBe('http://c:4318/v1/traces')
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c/otlp/' })).toBe('http://c/otlp/v1/traces')
  expect(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/traces' })).toBe('http://c/traces')
})

test('the export can be switched off, and a collector that cannot be used is refused', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }
  expect(read({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
  expect(read({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined()
  expect(read({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toContain('http/protobuf')
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toContain('must be a URL')
})
