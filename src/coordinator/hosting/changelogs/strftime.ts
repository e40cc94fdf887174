import { DAY } from '../../../lib/time-units.js'

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const SHORT = 3

/** A number with its usual width and padding. */
type Field = { value: number; width: number; pad: '0' | ' ' }

/** A date in UTC, in the format of `strftime`; `-` behind `%` leaves the padding out. Other directives stay as they are. */
export function strftime(format: string, date: Date): string {
  return format.replaceAll(/%(-?)([A-Za-z%])/g, (directive, flag: string, letter: string) => {
    const field = fieldOf(letter, date)
    if (!field) return formatLetter(letter, date) ?? directive
    const text = String(field.value)
    return flag === '-' ? text : text.padStart(field.width, field.pad)
  })
}

function fieldOf(letter: string, date: Date): Field | undefined {
  const hour = date.getUTCHours()
  const fields: Record<string, Field> = {
    Y: padded(date.getUTCFullYear(), 4),
    C: padded(Math.floor(date.getUTCFullYear() / 100), 2),
    y: padded(date.getUTCFullYear() % 100, 2),
    m: padded(date.getUTCMonth() + 1, 2),
    d: padded(date.getUTCDate(), 2),
    e: { value: date.getUTCDate(), width: 2, pad: ' ' },
    j: padded(dayOfYear(date), 3),
    H: padded(hour, 2),
    I: padded(((hour + 11) % 12) + 1, 2),
    M: padded(date.getUTCMinutes(), 2),
    S: padded(date.getUTCSeconds(), 2),
    L: padded(date.getUTCMilliseconds(), 3),
    u: padded(((date.getUTCDay() + 6) % 7) + 1, 1),
    w: padded(date.getUTCDay(), 1),
    s: padded(Math.floor(date.getTime() / 1000), 1),
  }
  return Object.hasOwn(fields, letter) ? fields[letter] : undefined
}

function formatLetter(letter: string, date: Date): string | undefined {
  const day = DAYS[date.getUTCDay()] ?? ''
  const month = MONTHS[date.getUTCMonth()] ?? ''
  const words: Record<string, () => string> = {
    A: () => day,
    a: () => day.slice(0, SHORT),
    B: () => month,
    b: () => month.slice(0, SHORT),
    h: () => month.slice(0, SHORT),
    p: () => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
    P: () => (date.getUTCHours() < 12 ? 'am' : 'pm'),
    Z: () => 'UTC',
    z: () => '+0000',
    F: () => strftime('%Y-%m-%d', date),
    D: () => strftime('%m/%d/%y', date),
    T: () => strftime('%H:%M:%S', date),
    R: () => strftime('%H:%M', date),
    '%': () => '%',
  }
  return Object.hasOwn(words, letter) ? words[letter]?.() : undefined
}

function padded(value: number, width: number): Field {
  return { value, width, pad: '0' }
}

function dayOfYear(date: Date): number {
  const start = Date.UTC(date.getUTCFullYear(), 0, 1)
  return Math.floor((date.getTime() - start) / DAY) + 1
}
