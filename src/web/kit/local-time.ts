/** The time of a local field as the API takes it. */
export function apiTime(local: string): string | undefined {
  return local === '' ? undefined : new Date(local).toISOString()
}

/** A time of the API for a local field, to the minute. */
export function localTime(time: string): string {
  const date = new Date(time)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
