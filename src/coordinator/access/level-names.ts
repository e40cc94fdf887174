/** Access levels of memberships, with their names (API, A15). */
export const LEVEL_NAMES: ReadonlyMap<number, string> = new Map([
  [10, 'Guest'],
  [20, 'Reporter'],
  [30, 'Developer'],
  [40, 'Maintainer'],
  [50, 'Owner'],
])
