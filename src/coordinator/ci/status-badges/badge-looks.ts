/** The appearance of a badge, as set in the URL (CI language, 17.4). */
export interface BadgeLooks {
  keyText: string | undefined
  /** Pixels; undefined = as the text needs. */
  keyWidth: number | undefined
  valueWidth: number | undefined
  style: 'flat' | 'flat-square'
}

const MAX_TEXT = 64
const MAX_WIDTH = 512

/** Ignores invalid values, because the viewer of a page cannot correct the URL. */
export function looksOf(query: URLSearchParams): BadgeLooks {
  const keyText = query.get('key_text')
  return {
    keyText: keyText && keyText.length <= MAX_TEXT ? keyText : undefined,
    keyWidth: numberIn(query, 'key_width', 1, MAX_WIDTH),
    valueWidth: numberIn(query, 'value_width', 1, MAX_WIDTH),
    style: query.get('style') === 'flat-square' ? 'flat-square' : 'flat',
  }
}

/** Percentages from which a coverage is good, acceptable and medium. */
export interface CoverageLimits {
  good: number
  acceptable: number
  medium: number
}

export function coverageLimitsOf(query: URLSearchParams): CoverageLimits {
  return {
    good: numberIn(query, 'min_good', 0, 100) ?? 95,
    acceptable: numberIn(query, 'min_acceptable', 0, 100) ?? 90,
    medium: numberIn(query, 'min_medium', 0, 100) ?? 75,
  }
}

function numberIn(query: URLSearchParams, name: string, least: number, most: number): number | undefined {
  const text = query.get(name) ?? ''
  const number = /^\d{1,4}$/.test(text) ? Number(text) : NaN
  return number >= least && number <= most ? number : undefined
}
