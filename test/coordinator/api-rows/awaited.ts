import { awaitedOf } from './rows.js'

/** Rows, or parameters of them, that are still to be served. What is served since is to be taken off this list. */
export const awaited = awaitedOf(`
  POST /users | avatar
  PUT /users/:id | avatar
  PUT G | avatar
`)
