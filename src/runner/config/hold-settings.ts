/** `[hold]`: which ended jobs keep their containers for people who look at them, and for how long. */
export interface HoldSettings {
  isEnabled: boolean
  /** Held jobs at once, of all registrations. */
  maxJobs: number
  /** Seconds that a job is held if it asks for no other time. */
  seconds: number
  /** Seconds after which a hold ends, however often it was extended. */
  maxSeconds: number
  /** Whether a held job keeps its job slot. */
  keepsSlot: boolean
  /** Free bytes of the disk of the data directory below which no job is held. */
  minFreeBytes: number
}

export const HOLD_DEFAULTS: HoldSettings = {
  isEnabled: true,
  maxJobs: 2,
  seconds: 30 * 60,
  maxSeconds: 4 * 60 * 60,
  keepsSlot: false,
  minFreeBytes: 1024 ** 3,
}
