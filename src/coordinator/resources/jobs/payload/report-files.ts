const NAMES: Record<string, string> = {
  junit: 'junit.xml',
  dotenv: '.env',
  cobertura: 'cobertura-coverage.xml',
  jacoco: 'jacoco-coverage.xml',
  codequality: 'gl-code-quality-report.json',
  terraform: 'tfplan.json',
  accessibility: 'gl-accessibility.json',
  annotations: 'gl-annotations.json',
  metrics: 'metrics.txt',
  lsif: 'lsif.json',
  performance: 'performance.json',
  browser_performance: 'browser-performance.json',
  load_performance: 'load-performance.json',
  cyclonedx: 'gl-sbom.cdx.json',
}

/** The scanners' reports are named alike. */
const SCANS = [
  ...['sast', 'secret_detection', 'dependency_scanning', 'container_scanning', 'cluster_image_scanning'],
  ...['dast', 'coverage_fuzzing', 'api_fuzzing'],
]

const GZIPPED = [
  'junit',
  'dotenv',
  'metrics',
  'cobertura',
  'jacoco',
  'cyclonedx',
  'annotations',
  'repository_xray',
]

/** The stored file of a report and how it is sent (CI language, 3.4; runner protocol, 2.10). */
export function reportFile(type: string): { name: string | null; format: 'zip' | 'gzip' | 'raw' } {
  const scan = SCANS.includes(type) ? `gl-${type.replaceAll('_', '-')}-report.json` : null
  const name = NAMES[type] ?? scan
  if (type === 'lsif') return { name, format: 'zip' }
  return { name, format: GZIPPED.includes(type) ? 'gzip' : 'raw' }
}
