import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

import type { FastifyInstance, FastifyReply } from 'fastify'

const DOCS = '/api/docs'

/** Allows no external content and no inline content, except images in the page's own styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Switchyard API</title>
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="page"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`

/** The list of all schemas is collapsed, because each is shown where it is used. */
const START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#page',
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
})
`

const require = createRequire(import.meta.url)

/** A page that shows the OpenAPI document and can send requests; all its files are served locally. */
export function apiPage(app: FastifyInstance): void {
  app.get(DOCS, (_request, reply) => send(reply, 'text/html; charset=utf-8', PAGE))
  app.get(`${DOCS}/start.js`, (_request, reply) => send(reply, 'text/javascript', START))
  packageFile('swagger-ui.css', 'text/css')
  packageFile('swagger-ui-bundle.js', 'text/javascript')

  function packageFile(name: string, type: string): void {
    const path = require.resolve(`swagger-ui-dist/${name}`)
    app.get(`${DOCS}/${name}`, async (_request, reply) =>
      send(reply.header('cache-control', 'max-age=3600'), type, await readFile(path)),
    )
  }
}

function send(reply: FastifyReply, type: string, body: string | Buffer): FastifyReply {
  return reply.header('content-type', type).header('content-security-policy', POLICY).send(body)
}
