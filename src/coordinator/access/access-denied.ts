import type { ACCESS_LEVELS } from './access-levels.js'

/** Reason why a caller is not allowed to do something; `http/` turns it into a response. */
export type AccessDenied =
  /** The caller is anonymous, and authentication is required. */
  | { status: 401 }
  | {
      status: 403
      /** A sentence without its full stop. */
      reason?: string
      /** The role that the caller would need, where that is the reason. */
      required?: RequiredRole
    }
  /** The subject does not exist, or the caller may not see it. */
  | { status: 404; subject: 'Project' | 'Group' }

export interface RequiredRole {
  role: keyof typeof ACCESS_LEVELS | 'administrator'
  /** Where the caller would need the role; absent for administrators. */
  subject?: 'project' | 'group'
}
