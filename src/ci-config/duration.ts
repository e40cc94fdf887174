/**
 * Durations as users write them: `3 mins 4 sec`, `2h20min`, `1 week and 2 days`, `3:41:59`, `1.5 hours`, `one
 * week`, `42` (seconds). Months have 30 days, years 365.25 (CI language, 16.5).
 */

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const WEEK = 7 * DAY
const MONTH = 30 * DAY
const YEAR = 31_557_600

/** The units of colon-separated parts, from the right. */
const CLOCK = [1, MINUTE, HOUR, DAY, WEEK, MONTH, YEAR]

const UNITS = new Map<string, number>([
  ...named(1, 's sec secs second seconds'),
  ...named(MINUTE, 'm min mins minute minutes'),
  ...named(HOUR, 'h hr hrs hour hours'),
  ...named(DAY, 'd dy day days'),
  ...named(WEEK, 'w wk wks week weeks'),
  ...named(MONTH, 'mo mos month months'),
  ...named(YEAR, 'y yr yrs year years'),
])

const JOINERS = new Set(['and', 'with', 'plus'])

const SMALL_NUMBERS = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen'
).split(' ')
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

const NUMBER_WORDS = new Map<string, number>([
  ...SMALL_NUMBERS.map((word, value): [string, number] => [word, value]),
  ...TENS.map((word, index): [string, number] => [word, (index + 2) * 10]),
])

const MAX_TEXT_LENGTH = 255

/** Whole seconds; undefined for text that is not a duration, or a duration of zero. */
export function parseDuration(text: string): number | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined
  const written = text.trim().toLowerCase()
  const seconds = written.includes(':') ? clockSeconds(written) : spelledSeconds(written)
  if (seconds === undefined || !Number.isFinite(seconds)) return undefined
  return Math.round(seconds) || undefined
}

/** As `parseDuration`, but 0 for `0` and `never`, which stand for any length. */
export function parseLifetime(text: string): number | undefined {
  return /^(0|never)$/i.test(text.trim()) ? 0 : parseDuration(text)
}

/** `never` or a duration. */
export function isExpiry(text: string): boolean {
  return text.trim().toLowerCase() === 'never' || parseDuration(text) !== undefined
}

function clockSeconds(written: string): number | undefined {
  const parts = written.split(':').map((part) => part.trim())
  if (parts.length > CLOCK.length || !parts.every((part) => /^\d+(\.\d+)?$/.test(part))) return undefined
  return parts.reverse().reduce((sum, part, index) => sum + Number(part) * (CLOCK[index] ?? 0), 0)
}

/** Alternating numbers and units: a unit alone counts as one, a number without a unit as seconds. */
function spelledSeconds(written: string): number | undefined {
  let seconds = 0
  let amount: number | undefined
  for (const word of wordsOf(written)) {
    const unit = UNITS.get(word)
    const number = numberOf(word)
    if (unit !== undefined) {
      seconds += (amount ?? 1) * unit
      amount = undefined
    } else if (number !== undefined && (amount === undefined || completesTens(amount, word))) {
      amount = (amount ?? 0) + number
    } else if (!JOINERS.has(word)) {
      return undefined
    }
  }
  return seconds + (amount ?? 0)
}

/** Separates letters and numbers, so that `2h20min` has four words. Anything else stays one unknown word. */
function wordsOf(written: string): string[] {
  return written.match(/\d+(?:\.\d+)?|\.\d+|[a-z]+|[^\s,\-a-z\d]+|-(?!\p{L})/gu) ?? []
}

function numberOf(word: string): number | undefined {
  return /^[\d.]+$/.test(word) ? Number(word) : NUMBER_WORDS.get(word)
}

/** `twenty five`: a ten followed by a unit is one number. */
function completesTens(amount: number, word: string): boolean {
  const value = NUMBER_WORDS.get(word)
  return value !== undefined && value > 0 && value < 10 && amount >= 20 && amount % 10 === 0
}

function named(seconds: number, names: string): [string, number][] {
  return names.split(' ').map((name) => [name, seconds])
}
