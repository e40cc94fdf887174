/** Access levels in a project or group (API, A15). */
export const ACCESS_LEVELS = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const

export const {
  guest: GUEST,
  reporter: REPORTER,
  developer: DEVELOPER,
  maintainer: MAINTAINER,
  owner: OWNER,
} = ACCESS_LEVELS
