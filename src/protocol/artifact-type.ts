export type ArtifactFormat = 'zip' | 'gzip' | 'raw'

const ZIPPED = ['archive', 'lsif', 'scip']
const GZIPPED = [
  'metadata',
  'junit',
  'metrics',
  'metrics_referee',
  'network_referee',
  'dotenv',
  'cobertura',
  'jacoco',
  'cyclonedx',
  'annotations',
  'repository_xray',
]
const RAW = [
  'trace',
  'accessibility',
  'codequality',
  'performance',
  'browser_performance',
  'load_performance',
  'terraform',
  'sast',
  'secret_detection',
  'dependency_scanning',
  'container_scanning',
  'cluster_image_scanning',
  'dast',
  'license_scanning',
  'requirements',
  'requirements_v2',
  'coverage_fuzzing',
  'api_fuzzing',
  'sarif',
]

const FORMATS = new Map<string, ArtifactFormat>([
  ...ZIPPED.map((type) => [type, 'zip'] as const),
  ...GZIPPED.map((type) => [type, 'gzip'] as const),
  ...RAW.map((type) => [type, 'raw'] as const),
])

/** The format in which artifacts of a type are uploaded. Undefined for an unknown type (runner protocol, 2.10). */
export function formatOfArtifactType(type: string): ArtifactFormat | undefined {
  return FORMATS.get(type)
}
