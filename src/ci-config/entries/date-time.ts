const ISO_8601 =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)([T ](?<time>\d\d(:\d\d(:\d\d(\.\d{1,9})?)?)?)\s?(?<zone>Z|[+-]\d\d(:?\d\d)?)?)?$/i

/** Whether the text is a day of the calendar, with or without a time of that day and its zone (ISO 8601). */
export function isDateTime(text: string): boolean {
  const found = ISO_8601.exec(text.trim())?.groups
  if (!found) return false
  const [hours = 0, minutes = 0, seconds = 0] = (found.time ?? '').split(':').map(Number)
  return isDay(Number(found.year), Number(found.month), Number(found.day)) && isTime(hours, minutes, seconds)
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

function isTime(hours: number, minutes: number, seconds: number): boolean {
  return hours < 24 && minutes < 60 && seconds < 61
}
