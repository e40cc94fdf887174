import { DEVELOPER, GUEST, MAINTAINER, OWNER, REPORTER } from './access-levels.js'

/** Access levels of memberships, with their names (API, A15). */
export const LEVEL_NAMES: ReadonlyMap<number, string> = new Map([
  [GUEST, 'Guest'],
  [REPORTER, 'Reporter'],
  [DEVELOPER, 'Developer'],
  [MAINTAINER, 'Maintainer'],
  [OWNER, 'Owner'],
])
