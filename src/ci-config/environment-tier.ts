/** The first tier whose pattern matches the name applies (CI language, 15.1). */
const PATTERNS: readonly (readonly [string, RegExp])[] = [
  ['development', /dev|review|trunk/i],
  ['testing', /test|tst|int|ac(?:ce)?pt|qa|qc|control|quality/i],
  ['staging', /sta?g|mode?l|pre|demo|non/i],
  ['production', /pro?d|live/i],
]

/** The tier of an environment that declares none. */
export function tierOf(environment: string): string {
  return PATTERNS.find(([, pattern]) => pattern.test(environment))?.[0] ?? 'other'
}
