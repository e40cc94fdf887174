/** Reason why a caller is not allowed to do something; `http/` turns it into an answer. */
export type AccessDenied =
  /** The caller is anonymous, and authentication is required. */
  | { status: 401 }
  | {
      status: 403
      /** A sentence without its full stop. */
      reason?: string
    }
  /** The subject does not exist, or the caller may not see it. */
  | { status: 404; subject: 'Project' | 'Group' }
