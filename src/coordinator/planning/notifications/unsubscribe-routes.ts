import type { FastifyInstance, FastifyReply } from 'fastify'

import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { BODY_SECONDS, limitBodyTime } from '../../http/body-limits/body-time.js'
import { markup, sendPage } from '../../http/html-page.js'
import { parseParameterBodies } from '../../http/parameters/body-parsers.js'
import type { UploadSpool } from '../../http/parameters/upload-spool.js'
import { findSubscribed, readUnsubscribeKey, unsubscribe, UNSUBSCRIBE_PATH } from './unsubscribe.js'

/** Maximum size of a request body, in bytes. */
const BODY_LIMIT = 64 * 1024

interface ByKey {
  Params: { key: string }
}

/**
 * The links at the end of mails. GET only asks, because mail scanners follow links; POST unsubscribes, from the page or from
 * the button of a mail program (RFC 8058).
 */
export function unsubscribeRoutes({
  database,
  secrets,
  spool,
}: {
  database: Database
  secrets: SecretBox
  spool: UploadSpool
}): (app: FastifyInstance) => void {
  const path = `${UNSUBSCRIBE_PATH}/:key/unsubscribe`
  return (app) => {
    parseParameterBodies(app, spool)
    limitBodyTime(app, BODY_SECONDS)
    app.get<ByKey>(path, async ({ params }, reply) => {
      const subscription = readUnsubscribeKey(secrets, params.key)
      const found = subscription && (await findSubscribed(database, subscription))
      if (!found) return sendUnknown(reply)
      const body = markup`
<p>You will get no more mails about this ${found.name}, unless somebody mentions you.</p>
<form method="post"><div class="buttons"><button class="main">Unsubscribe</button></div></form>`
      return sendPage(reply, 200, {
        title: `Unsubscribe from ${found.name} ${found.reference}?`,
        body,
        formActions: ["'self'"],
      })
    })
    app.post<ByKey>(path, { bodyLimit: BODY_LIMIT }, async ({ params }, reply) => {
      const subscription = readUnsubscribeKey(secrets, params.key)
      const found = subscription && (await findSubscribed(database, subscription))
      if (!subscription || !found) return sendUnknown(reply)
      await unsubscribe(database, subscription)
      const body = markup`<p>You get no more mails about ${found.name} ${found.reference}.</p>`
      return sendPage(reply, 200, { title: 'You are unsubscribed', body })
    })
  }
}

/** Says nothing about what exists. */
function sendUnknown(reply: FastifyReply): FastifyReply {
  const body = markup`<p>It is not complete, or what it was about has been deleted.</p>`
  return sendPage(reply, 404, { title: 'This link leads nowhere', body })
}
