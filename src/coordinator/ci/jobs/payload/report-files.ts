import { SCAN_REPORTS } from '../../../../ci-config/entries/reports.js'
import { type ArtifactFormat, formatOfArtifactType } from '../../../../protocol/artifact-type.js'

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

/** The stored file of a report, and how runners send it (CI language, 3.4; runner protocol, 2.10). */
export function reportFile(type: string): { name: string | null; format: ArtifactFormat } {
  const isScan = SCAN_REPORTS.some((scan) => scan === type)
  // The reports of scanners are named alike.
  const scan = isScan ? `gl-${type.replaceAll('_', '-')}-report.json` : null
  return { name: NAMES[type] ?? scan, format: formatOfArtifactType(type) ?? 'raw' }
}
