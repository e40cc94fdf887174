import { isCron } from './cron.js'

const NICKNAMES: Record<string, string> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const WEEKDAYS = '1,2,3,4,5'
const WEEKEND = '0,6'
/** More times of a day are not listed one by one. */
const MAX_TIMES = 6

/** Values that a field allows. `step` is set for every n-th value, such as every second hour. */
interface Field {
  values: readonly number[]
  isAny: boolean
  step: number | undefined
}

/**
 * A cron expression in words, such as "weekdays at 04:30" or "every 15 minutes". Undefined if it is invalid, or uses what
 * has no short words, such as the last day of a month.
 */
export function describeCron(expression: string): string | undefined {
  if (!isCron(expression)) return undefined
  const text = expression.trim().toLowerCase()
  const parts = (NICKNAMES[text] ?? text).split(/\s+/)
  const minute = readField(parts[0], 0, 59)
  const hour = readField(parts[1], 0, 23)
  const date = readField(parts[2], 1, 31)
  const month = readField(parts[3], 1, 12, MONTHS)
  const day = readField(parts[4], 0, 6, DAYS)
  if (!minute || !hour || !date || !month || !day) return undefined
  const time = describeTime(minute, hour)
  const days = describeDays(date, month, day)
  if (time.isRepeated) return days === '' ? time.text : `${time.text}, ${days}`
  return `${days === '' ? 'every day' : days} ${time.text}`
}

function describeTime(minute: Field, hour: Field): { text: string; isRepeated: boolean } {
  const times = minute.values.length * hour.values.length
  if (!minute.isAny && !hour.isAny && times <= MAX_TIMES && (hour.step === undefined || times === 1)) {
    const all = hour.values.flatMap((h) => minute.values.map((m) => clock(h, m)))
    return { text: `at ${listed(all)}`, isRepeated: false }
  }
  const [first = 0] = minute.values
  const isOneMinute = minute.values.length === 1
  if (hour.isAny || hour.step !== undefined) {
    const hours = hour.step === undefined ? 'every hour' : everyNth(hour.step, 'hour', 24)
    if (isOneMinute) return repeated(first === 0 ? hours : `${hours} at minute ${first}`)
    const minutes = describeMinutes(minute)
    return repeated(hour.isAny ? minutes : `${minutes}, ${hours}`)
  }
  return repeated(
    isOneMinute && first === 0
      ? `every hour ${describeHours(hour, first)}`
      : `${isOneMinute ? `every hour at minute ${first}` : describeMinutes(minute)} ${describeHours(hour, minute.values.at(-1) ?? 0)}`,
  )
}

function describeMinutes({ isAny, step, values }: Field): string {
  if (isAny) return 'every minute'
  if (step !== undefined) return everyNth(step, 'minute', 60)
  return `every hour at minutes ${listed(values.map(String))}`
}

/** @param lastMinute the last minute of an hour that matches */
function describeHours({ values }: Field, lastMinute: number): string {
  const [first = 0] = values
  const last = values.at(-1) ?? first
  if (last - first === values.length - 1) return `from ${clock(first, 0)} to ${clock(last, lastMinute)}`
  return `in the hours ${listed(values.map((hour) => clock(hour, 0)))}`
}

function describeDays(date: Field, month: Field, day: Field): string {
  const [onlyDate] = date.values
  const [onlyMonth = 1] = month.values
  const months = month.isAny ? '' : `in ${listed(month.values.map((number) => MONTHS[number - 1] ?? ''))}`
  const days = day.isAny ? '' : describeWeekdays(day.values)
  if (date.isAny) {
    if (days === '') return months === '' ? '' : `every day ${months}`
    return joined(days, months)
  }
  if (day.isAny && date.values.length === 1 && month.values.length === 1)
    return `on ${onlyDate} ${MONTHS[onlyMonth - 1]}`
  const dates =
    date.step === undefined
      ? `on day${date.values.length === 1 ? '' : 's'} ${listed(date.values.map(String))} of the month`
      : `on every ${ordinal(date.step)} day of the month`
  // Cron runs at either of the two.
  return joined(days === '' ? dates : `${dates} and on ${days}`, months)
}

function describeWeekdays(values: readonly number[]): string {
  if (values.join(',') === WEEKDAYS) return 'weekdays'
  if (values.join(',') === WEEKEND) return 'weekends'
  // A week begins on Monday.
  const fromMonday = values.toSorted((a, b) => ((a + 6) % 7) - ((b + 6) % 7))
  return listed(fromMonday.map((number) => `${DAYS[number]}s`))
}

/** Undefined for characters with a special meaning, such as `L` and `#`. */
function readField(
  text: string | undefined,
  least: number,
  most: number,
  names: readonly string[] = [],
): Field | undefined {
  if (text === undefined) return undefined
  const values = new Set<number>()
  for (const part of text.split(',')) {
    const found = readPart(part, { least, most, names })
    if (!found) return undefined
    for (const value of found) values.add(value)
  }
  const step = /^\*\/(\d+)$/.exec(text)?.[1]
  const size = most - least + 1
  return {
    values: [...values].toSorted((a, b) => a - b),
    isAny: values.size === size,
    step: step === undefined || values.size <= 1 || values.size === size ? undefined : Number(step),
  }
}

interface Bounds {
  least: number
  most: number
  names: readonly string[]
}

function readPart(part: string, { least, most, names }: Bounds): number[] | undefined {
  const [range = '', stepText = '1', ...others] = part.split('/')
  const step = Number(stepText)
  const isAny = range === '*' || range === '?'
  const ends = isAny ? [least, most] : range.split('-').map((end) => readValue(end, names, least))
  const [first, last = part.includes('/') ? most : first] = ends
  if (others.length > 0 || ends.length > 2 || !Number.isInteger(step) || step < 1) return undefined
  if (first === undefined || last === undefined || first > last) return undefined
  const count = Math.floor((last - first) / step) + 1
  const values = Array.from({ length: count }, (_, index) => first + index * step)
  // Sunday is both 0 and 7.
  return values.map((value) => (names === DAYS ? value % 7 : value))
}

function readValue(text: string, names: readonly string[], least: number): number | undefined {
  if (/^\d+$/.test(text)) return Number(text)
  const index = names.findIndex((name) => name.slice(0, 3).toLowerCase() === text)
  return index < 0 ? undefined : index + least
}

/** Steps begin again with each hour or day, so an odd one is no fixed distance. */
function everyNth(step: number, unit: 'minute' | 'hour', size: number): string {
  return size % step === 0
    ? `every ${step} ${unit}s`
    : `every ${ordinal(step)} ${unit} of the ${unit === 'minute' ? 'hour' : 'day'}`
}

function ordinal(number: number): string {
  const tens = number % 100
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
  return `${number}${ending}`
}

function clock(hour: number, minute: number): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function joined(first: string, second: string): string {
  return second === '' ? first : `${first} ${second}`
}

function repeated(text: string): { text: string; isRepeated: boolean } {
  return { text, isRepeated: true }
}
