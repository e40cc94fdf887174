/** Lengths of time in milliseconds. */
export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const WEEK = 7 * DAY

/** Lengths of time in seconds. */
export const SECONDS_PER_MINUTE = MINUTE / SECOND
export const SECONDS_PER_HOUR = HOUR / SECOND
export const SECONDS_PER_DAY = DAY / SECOND
