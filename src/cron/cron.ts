import { Cron } from 'croner'

import { zoneOf } from './zone-names.js'

const NICKNAMES = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']
const FIELDS = 5
/** In milliseconds. */
const MINUTE = 60 * 1000

/** Whether a cron expression of five fields, or one of the words like `@daily`, can be read. */
export function isCron(expression: string): boolean {
  return cronOf(expression, 'UTC') !== undefined
}

/** Whether it is the name of a time zone that this machine supports: its IANA name, or one like `Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zoneOf(name) })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/**
 * The first time after `after`, both in milliseconds since 1970; undefined if there is none. A time that a
 * clock change skips is replaced by the moment right after the change. A time that occurs twice counts once.
 */
export function nextRun(expression: string, timeZone: string, after: number): number | undefined {
  return cronOf(expression, zoneOf(timeZone))?.nextRun(new Date(after))?.getTime()
}

/** Up to `count` times after `after`, the earliest first. See nextRun. */
export function nextRuns(expression: string, timeZone: string, after: number, count: number): number[] {
  const cron = cronOf(expression, zoneOf(timeZone))
  return cron?.nextRuns(count, new Date(after)).map((time) => time.getTime()) ?? []
}

/** Undefined for an invalid cron expression. The object only computes times; it starts no timer. */
function cronOf(expression: string, timezone: string): Cron | undefined {
  // The library also reads dates and seconds.
  const trimmed = expression.trim()
  const isKnownWord = NICKNAMES.includes(trimmed.toLowerCase())
  if (!isKnownWord && trimmed.split(/\s+/).length !== FIELDS) return undefined
  try {
    return new Cron(trimmed, { paused: true, timezone, mode: '5-part' })
  } catch (error) {
    // The library throws these for every unreadable expression.
    if (error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * The last time at or before `at`, both in milliseconds since 1970; undefined if there is none. Cron expressions name
 * minutes, so that it is the begin of one.
 */
export function previousRun(expression: string, timeZone: string, at: number): number | undefined {
  const nextMinute = (Math.floor(at / MINUTE) + 1) * MINUTE
  return cronOf(expression, zoneOf(timeZone))?.previousRuns(1, new Date(nextMinute))[0]?.getTime()
}

/**
 * Whether a cron expression names the minute of `at`, in milliseconds since 1970. Unlike a run, a minute that occurs twice
 * because of a clock change counts both times.
 */
export function isMinuteOf(expression: string, timeZone: string, at: number): boolean {
  const minute = Math.floor(at / MINUTE) * MINUTE
  return cronOf(expression, zoneOf(timeZone))?.match(new Date(minute)) ?? false
}
