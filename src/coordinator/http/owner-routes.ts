import type { Access } from '../access/permissions.js'
import type { Call, Route } from './operation.js'

/**
 * The differences between the operations of projects and groups on one resource. `Subject` is what `at` finds in a
 * call.
 */
export interface OwnerRoutes<A extends Access, Name extends string, Subject> {
  routes: Record<Name, Route>
  /** Noun phrase for summaries: `a project`. */
  of: string
  read: A
  /** The project or group of a call, and its caller. */
  at: (call: Call<A, unknown>) => Subject
}
