import type { TObject, TSchema } from 'typebox'

import type { ProjectPermission } from '../access/permissions.js'
import {
  type ApiResponse,
  type Call,
  NoBody,
  type Operation,
  operation,
  respond,
  type Route,
} from '../http/operation.js'

/** Differences between issues and merge requests. `Key` has the parameter that names the record. */
interface Subscribed<A extends ProjectPermission, Key> {
  routes: Record<'subscribe' | 'unsubscribe', Route>
  /** Noun phrase for summaries: `an issue`. */
  of: string
  access: A
  params: TObject
  schema: TSchema
  /** Subscribes the caller or ends the subscription. Returns the record; undefined if nothing changed. */
  change: (call: Call<A, Key>, subscribed: boolean) => Promise<unknown>
}

/** Subscriptions of users to records (API, F2 and F4). */
export function subscriptionOperationsOn<A extends ProjectPermission, Key>({
  routes,
  of,
  access,
  params,
  schema,
  change,
}: Subscribed<A, Key>): Operation[] {
  const declared = { access, params, responses: { 201: schema, 304: NoBody } }
  const respondTo = async (call: Call<A, unknown>, subscribed: boolean): Promise<ApiResponse> => {
    // `params` have the parameter that names the record.
    const record = await change(call as Call<A, Key>, subscribed)
    return record === undefined ? respond(304) : respond(201, record)
  }
  return [
    operation(routes.subscribe, {
      ...declared,
      summary: `Subscribe to ${of}`,
      run: (call) => respondTo(call, true),
    }),
    operation(routes.unsubscribe, {
      ...declared,
      summary: `Unsubscribe from ${of}`,
      run: (call) => respondTo(call, false),
    }),
  ]
}
