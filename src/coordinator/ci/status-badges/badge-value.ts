import type { CompositeStatus } from '../../database/tables/pipelines.js'
import type { CoverageLimits } from './badge-looks.js'

/** The right side of a badge. */
export interface BadgeValue {
  text: string
  color: string
}

const GREEN = '#4c1'
const YELLOW_GREEN = '#a3c51c'
const YELLOW = '#dfb317'
const RED = '#e05d44'
const BLUE = '#3076af'
const GREY = '#9f9f9f'

const UNKNOWN: BadgeValue = { text: 'unknown', color: GREY }

const COLORS: Partial<Record<CompositeStatus, string>> = {
  success: GREEN,
  failed: RED,
  running: YELLOW,
  preparing: YELLOW,
  pending: YELLOW,
}

/** Undefined = no pipeline. A pipeline with allowed failures counts as passed. */
export function pipelineValue(status: CompositeStatus | undefined): BadgeValue {
  if (status === undefined) return UNKNOWN
  const text = status === 'success' ? 'passed' : status.replaceAll('_', ' ')
  return { text, color: COLORS[status] ?? GREY }
}

/** Undefined = no release. */
export function releaseValue(tag: string | undefined): BadgeValue {
  return tag === undefined ? { text: 'none', color: GREY } : { text: tag, color: BLUE }
}

/** Percent; null = no coverage found. */
export function coverageValue(coverage: number | null, limits: CoverageLimits): BadgeValue {
  if (coverage === null) return UNKNOWN
  return { text: `${coverage.toFixed(2)}%`, color: coverageColor(coverage, limits) }
}

function coverageColor(coverage: number, { good, acceptable, medium }: CoverageLimits): string {
  if (coverage >= good) return GREEN
  if (coverage >= acceptable) return YELLOW_GREEN
  return coverage >= medium ? YELLOW : RED
}
