/** Why a caller may not do something; `http/` makes it an answer. */
export type AccessDenied =
  /** Nobody is signed in, and somebody must be. */
  | { status: 401 }
  | {
      status: 403
      /** A sentence without its full stop. */
      reason?: string
    }
  /** There is no such thing, or the caller may not see it. */
  | { status: 404; subject: 'Project' | 'Group' }
